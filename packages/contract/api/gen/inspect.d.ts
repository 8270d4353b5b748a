// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  DependencyType,
  ControllerRuntimeDependenciesRequest,
  type ControllerRuntimeDependenciesRequestInit,
  ControllerRuntimeDependenciesResponse,
  type ControllerRuntimeDependenciesResponseInit,
  ControllerDependency,
  type ControllerDependencyInit,
  InspectService,
  type InspectServiceHandlers,
} from './nodecore-v1.js';
