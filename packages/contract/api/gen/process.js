// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  ProcessesRequest,
  ProcessesResponse,
  Process,
  ProcessService,
} from './nodecore-v1.js';
