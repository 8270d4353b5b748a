// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  TimeRequest,
  type TimeRequestInit,
  TimeResponse,
  type TimeResponseInit,
  TimeService,
  type TimeServiceHandlers,
} from './nodecore-v1.js';
