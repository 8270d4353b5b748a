import { definitionNamespace, definitionType, namesOf, type ResourceDefinition } from '@nodecore/api';
import type { Json, Kind } from '@nodecore/state';

/** Published as a resource of its own type: one list gives a client all types, this one included. */
export const resourceDefinitions: ResourceDefinition = {
  type: definitionType,
  displayType: 'ResourceDefinition',
  description: 'The types of resources that this node has.',
  defaultNamespace: definitionNamespace,
  aliases: ['rd', 'api-resources'],
  printColumns: [
    { name: 'Aliases', jsonPath: '$.aliases' },
    { name: 'Description', jsonPath: '$.description' },
  ],
  sensitive: false,
};

/** The kind that a definition's resources have in its default namespace. */
export function kindOf({ type, defaultNamespace }: ResourceDefinition): Kind {
  return { type, namespace: defaultNamespace };
}

/** The id of a definition's own resource. */
export function definitionId({ type }: ResourceDefinition): string {
  return type.toLowerCase();
}

/** A definition as a resource. */
export function definitionSpec(definition: ResourceDefinition): Json {
  return { ...definition, names: [...namesOf(definition)] };
}
