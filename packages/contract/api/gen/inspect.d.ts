// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  DependencyType,
  HealthState,
  ControllerRuntimeDependenciesRequest,
  type ControllerRuntimeDependenciesRequestInit,
  ControllerRuntimeDependenciesResponse,
  type ControllerRuntimeDependenciesResponseInit,
  ControllerDependency,
  type ControllerDependencyInit,
  HealthRequest,
  type HealthRequestInit,
  HealthResponse,
  type HealthResponseInit,
  HealthCheck,
  type HealthCheckInit,
  InspectService,
  type InspectServiceHandlers,
} from './nodecore-v1.js';
