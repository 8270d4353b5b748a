import { definitionNamespace, definitionType, namesOf } from '@nodecore/api';
import type { FleetChange, FleetDefinition } from '@nodecore/fleet-api';
import type { Json, Kind, Resource } from '@nodecore/state';

import { assertRole, type Caller } from '../access/caller.ts';
import { FleetError } from '../errors.ts';

/** The definitions, as resources of a type of their own: one list gives a client all types, this one included. */
export const resourceDefinitions: FleetDefinition = {
  type: definitionType,
  displayType: 'ResourceDefinition',
  description: 'The types of resources that this fleet has.',
  defaultNamespace: definitionNamespace,
  aliases: ['rd', 'api-resources'],
  printColumns: [
    { name: 'Aliases', jsonPath: '$.aliases' },
    { name: 'Description', jsonPath: '$.description' },
  ],
  sensitive: false,
  readers: 'None',
  writers: 'nobody',
};

/** What a request names. */
export type Named = { readonly type: string; readonly namespace: string };

/** The types that the fleet has, and who may read and write them. */
export class Catalog {
  readonly #byType: ReadonlyMap<string, FleetDefinition>;

  constructor(definitions: readonly FleetDefinition[]) {
    this.#byType = new Map([...definitions, resourceDefinitions].map((each) => [each.type, each]));
  }

  /** @throws {FleetError} for an unknown type or namespace, and for a caller who may not read it. */
  readable(named: Named, caller: Caller): Kind {
    const definition = this.#find(named);
    assertRole(caller, definition.readers, definition.type);
    return kindOf(definition);
  }

  /** @throws {FleetError} for an unknown type or namespace, and for a caller who may not write it. */
  writable(named: Named, caller: Caller, change: FleetChange): Kind {
    const definition = this.#find(named);
    if (definition.writers === 'nobody' || definition.changes?.includes(change) === false)
      throw new FleetError(
        'ERR_FLEET_DENIED',
        `${definition.type}: nobody may ${change} these but the fleet itself`,
      );
    assertRole(caller, definition.writers, definition.type);
    return kindOf(definition);
  }

  /** The definitions as resources. They do not change while the fleet manager runs, and are in no store. */
  asResources(): readonly Resource[] {
    return [...this.#byType.values()]
      .map((definition) => resourceOf(definition))
      .toSorted((a, b) => (a.metadata.id < b.metadata.id ? -1 : 1));
  }

  #find({ type, namespace }: Named): FleetDefinition {
    const definition = this.#byType.get(type);
    if (definition === undefined) throw new FleetError('ERR_FLEET_NOT_FOUND', `${type}: no such type`);
    if (namespace !== '' && namespace !== definition.defaultNamespace)
      throw new FleetError('ERR_FLEET_NOT_FOUND', `${type}: not in namespace "${namespace}"`);
    return definition;
  }
}

function kindOf({ type, defaultNamespace: namespace }: FleetDefinition): Kind {
  return { type, namespace };
}

function resourceOf(definition: FleetDefinition): Resource {
  const spec: Json = { ...definition, names: [...namesOf(definition)] };
  return {
    metadata: {
      ...kindOf(resourceDefinitions),
      id: definition.type.toLowerCase(),
      version: 1,
      owner: '',
      phase: 'running',
      createdMs: 0,
      updatedMs: 0,
      labels: {},
      annotations: {},
      finalizers: [],
    },
    spec,
  };
}
