// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  RotationState,
  RotateKeysRequest,
  RotateKeysResponse,
  AddRecoveryKeyRequest,
  AddRecoveryKeyResponse,
  BackupHeaderRequest,
  BackupHeaderResponse,
  RestoreHeaderRequest,
  RestoreHeaderResponse,
  VolumeService,
} from './nodecore-v1.js';
