import type { ResourceDefinition } from '@nodecore/api';
import { type Kind, ResourceError, type Store } from '@nodecore/state';

import { definitionId, definitionSpec, kindOf, resourceDefinitions } from './definitions.ts';

/** The types of resources that the node has. */
export class Catalog {
  readonly definitions: readonly ResourceDefinition[];
  readonly #byType: ReadonlyMap<string, ResourceDefinition>;

  constructor(definitions: readonly ResourceDefinition[]) {
    this.definitions = definitions;
    this.#byType = new Map(definitions.map((each) => [each.type, each]));
  }

  /** Publishes the definitions as resources: they are what a client needs to know every other type. */
  publish(store: Store): void {
    const specs = new Map(this.definitions.map((each) => [definitionId(each), definitionSpec(each)]));
    store.replace(kindOf(resourceDefinitions), specs, '');
  }

  /**
   * The kind that a request means, after checking that the caller may read it.
   *
   * @throws {ResourceError} for an unknown type or namespace, and for a sensitive type without `administrator`.
   */
  resolve(request: { readonly type: string; readonly namespace: string }, administrator: boolean): Kind {
    const definition = this.#byType.get(request.type);
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

  /** Whether what the kind holds is for administrators, as what may be a secret is. */
  isSensitive({ type }: Kind): boolean {
    return this.#byType.get(type)?.sensitive === true;
  }
}
