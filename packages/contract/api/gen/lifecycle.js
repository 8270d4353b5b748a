// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  UpgradePhase,
  ContainerdInstance,
  InstallerSource,
  InstallDestination,
  InstallRequest,
  UpgradeRequest,
  UpgradeResponse,
  InstallResponse,
  LifecycleService,
} from './nodecore-v1.js';
