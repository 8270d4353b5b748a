// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  ProcessesRequest,
  type ProcessesRequestInit,
  ProcessesResponse,
  type ProcessesResponseInit,
  Process,
  type ProcessInit,
  ProcessService,
  type ProcessServiceHandlers,
} from './nodecore-v1.js';
