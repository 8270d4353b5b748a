import { z } from 'zod';

import { kinds } from '../kind/kinds.ts';
import { allKinds, isKind, schemas, type Kind } from './kinds.ts';

/** The schemas of one version stay where they are when documents change: an editor keeps what it was given. */
export const schemaVersion = 'v1.13';

const draft = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema (draft 2020-12) of one kind, for editors. Secret fields are `writeOnly`. */
export function jsonSchema(kind: Kind): Record<string, unknown> {
  const description = kinds.get(kind);
  if (description !== undefined) {
    const { about, json } = description;
    return { title: kind, $schema: draft, description: about, ...json };
  }
  return isKind(kind) ? { title: kind, ...z.toJSONSchema(schemas[kind], { io: 'input' }) } : {};
}

/** The published files by name: one per kind, and `config.schema.json`, which takes a document of any kind. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const one = allKinds.map((kind) => [fileName(kind), jsonSchema(kind)] as const);
  const documents = allKinds.filter((kind) => kind !== 'machine');
  const any = {
    title: 'machine configuration document',
    $schema: draft,
    // Chosen by kind, so that an editor tells what is wrong with this document and not with all the others.
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
