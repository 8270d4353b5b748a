// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  DependencyType,
  HealthState,
  ControllerRuntimeDependenciesRequest,
  ControllerRuntimeDependenciesResponse,
  ControllerDependency,
  CpuProfileRequest,
  HeapSnapshotRequest,
  ProfileResponse,
  HealthRequest,
  HealthResponse,
  HealthCheck,
  InspectService,
} from './nodecore-v1.js';
