import { descriptionOf, kinds, type Kind } from './kind/kinds.ts';
import { withDefinitions } from './schema-definitions.ts';

/** The schemas of one version stay where they are when documents change: an editor keeps what it was given. */
export const schemaVersion = 'v1.13';

const draft = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema (draft 2020-12) of one kind, for editors. Secret fields are `writeOnly`. */
export function jsonSchema(kind: Kind): Record<string, unknown> {
  const { about, json } = descriptionOf(kind) ?? {};
  return { title: kind, $schema: draft, description: about, ...withDefinitions(json ?? {}) };
}

/** The published files by name: one per kind, and `config.schema.json`, which takes a document of any kind. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const allKinds = ['machine', ...kinds.keys()] as Kind[];
  const one = allKinds.map((kind) => [fileName(kind), jsonSchema(kind)] as const);
  const documents = allKinds.filter((kind) => kind !== 'machine');
  const any = {
    title: 'machine configuration document',
    $schema: draft,
    // Chosen by kind, so that an editor reports what is wrong with this document and not with all the others.
    if: { required: ['kind'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: {
      properties: { kind: { enum: documents } },
      allOf: documents.map((kind) => ({
        if: { properties: { kind: { const: kind } } },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { $ref: fileName(kind) },
      })),
    },
    else: { $ref: fileName('machine') },
  };
  const all = [...one, ['config.schema.json', any] as const];
  return new Map(
    all.map(([name, schema]) => [name, `${JSON.stringify({ $id: name, ...schema }, undefined, 2)}\n`]),
  );
}

function fileName(kind: Kind): string {
  return `${kind}.schema.json`;
}
