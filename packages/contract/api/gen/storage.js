// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  WipeMethod,
  WipeState,
  ResetMode,
  ResetStep,
  ProveEmptyRequest,
  ProveEmptyResponse,
  EmptinessReceipt,
  ReadRanges,
  ByteRange,
  WipeRequest,
  WipeVolumesRequest,
  WipeResponse,
  ResetRequest,
  ResetResponse,
  StorageService,
} from './nodecore-v1.js';
