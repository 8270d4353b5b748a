// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  ApplyMode,
  AccessRequest,
  AccessResponse,
  MethodAccess,
  ApplyConfigurationRequest,
  ApplyConfigurationResponse,
  VersionRequest,
  VersionResponse,
  MountsRequest,
  MountsResponse,
  Mount,
  ErrorInfo,
  Problem,
  MachineService,
} from './nodecore-v1.js';
