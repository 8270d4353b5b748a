// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  TrimState,
  TrimRequest,
  type TrimRequestInit,
  TrimResponse,
  type TrimResponseInit,
  TrimService,
  type TrimServiceHandlers,
} from './nodecore-v1.js';
