import type { ResourceDefinition } from '@nodecore/api';
import { type Kind, ResourceError, type Store } from '@nodecore/state';

import { definitionId, definitions, definitionSpec, kindOf, resourceDefinitions } from './definitions.ts';

const byType: ReadonlyMap<string, ResourceDefinition> = new Map(definitions.map((each) => [each.type, each]));

/** Publishes the definitions as resources: they are what a client needs to know every other type. */
export function publishDefinitions(store: Store): void {
  const specs = new Map(definitions.map((each) => [definitionId(each), definitionSpec(each)]));
  store.replace(kindOf(resourceDefinitions), specs, '');
}

/**
 * The kind that a request means, after checking that the caller may read it.
 *
 * @throws {ResourceError} for an unknown type or namespace, and for a sensitive type without `administrator`.
 */
export function resolve(
  request: { readonly type: string; readonly namespace: string },
  administrator: boolean,
): Kind {
  const definition = byType.get(request.type);
  if (definition === undefined) {
    throw new ResourceError('ERR_RESOURCE_TYPE', request.type, 'no such type of resource');
  }
  const { type, defaultNamespace, sensitive } = definition;
  if (request.namespace !== '' && request.namespace !== defaultNamespace) {
    throw new ResourceError('ERR_RESOURCE_TYPE', type, `not in namespace "${request.namespace}"`);
  }
  if (sensitive && !administrator) throw new ResourceError('ERR_RESOURCE_DENIED', type, 'needs os:admin');
  return kindOf(definition);
}
