import {
  type ControllerDependencyInit,
  type ControllerRuntimeDependenciesResponseInit,
  DependencyType,
  type InspectServiceHandlers,
} from '@nodecore/api/inspect';

import { type HandlerOptions, unary } from '../server/handlers.ts';
import type { Dependency } from '../supervisor/dependencies.ts';
import { type HealthParts, healthOf } from './health.ts';

/** How the node works inside, and whether it is well, for callers of the API. */
export function inspectService(
  dependencies: () => readonly Dependency[],
  health: HealthParts,
  options: HandlerOptions,
): Pick<InspectServiceHandlers, 'health' | 'controllerRuntimeDependencies'> {
  return {
    health: unary(options, () => healthOf(health)),
    controllerRuntimeDependencies: unary(
      options,
      async (): Promise<ControllerRuntimeDependenciesResponseInit> => ({
        edges: dependencies().map(edgeOf),
      }),
    ),
  };
}

const types = {
  need: DependencyType.NEED,
  strong: DependencyType.INPUT_STRONG,
  weak: DependencyType.INPUT_WEAK,
  'awaiting-destruction': DependencyType.INPUT_DESTROY_READY,
  exclusive: DependencyType.OUTPUT_EXCLUSIVE,
  shared: DependencyType.OUTPUT_SHARED,
} as const;

function edgeOf(dependency: Dependency): ControllerDependencyInit {
  const { part: controllerName, kind } = dependency;
  if (kind === 'need') return { controllerName, type: types[kind], need: dependency.need };
  const { type: resourceType, namespace: resourceNamespace, id: resourceId = '' } = dependency.resources;
  return { controllerName, type: types[kind], resourceNamespace, resourceType, resourceId };
}
