// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  TrimState,
  TrimRequest,
  TrimResponse,
  TrimService,
} from './nodecore-v1.js';
