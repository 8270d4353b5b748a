// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  DmesgRequest,
  DmesgResponse,
  KernelLogRecord,
  KernelLogService,
} from './nodecore-v1.js';
