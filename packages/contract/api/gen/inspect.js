// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  DependencyType,
  ControllerRuntimeDependenciesRequest,
  ControllerRuntimeDependenciesResponse,
  ControllerDependency,
  InspectService,
} from './nodecore-v1.js';
