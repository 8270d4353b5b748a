// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  UpgradePhase,
  ContainerdInstance,
  type ContainerdInstanceInit,
  InstallerSource,
  type InstallerSourceInit,
  UpgradeRequest,
  type UpgradeRequestInit,
  UpgradeResponse,
  type UpgradeResponseInit,
  LifecycleService,
  type LifecycleServiceHandlers,
} from './nodecore-v1.js';
