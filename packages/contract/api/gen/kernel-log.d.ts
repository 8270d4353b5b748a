// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  DmesgRequest,
  type DmesgRequestInit,
  DmesgResponse,
  type DmesgResponseInit,
  KernelLogRecord,
  type KernelLogRecordInit,
  KernelLogService,
  type KernelLogServiceHandlers,
} from './nodecore-v1.js';
