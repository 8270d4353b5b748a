// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  TimeRequest,
  TimeResponse,
  TimeService,
} from './nodecore-v1.js';
