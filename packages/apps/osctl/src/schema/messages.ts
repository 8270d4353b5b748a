import { readFileSync } from 'node:fs';

import { type Fields, optional, type Shape } from './shape.ts';

type Described = {
  readonly properties: Readonly<Record<string, Shape>>;
  readonly required: readonly string[];
};

const file = new URL('../../../../contract/api/gen/messages.schema.json', import.meta.url);
const { $defs: messages } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly $defs: Readonly<Record<string, Described>>;
};

/**
 * The fields of a message of the node's API: commands that show messages as they are promise what the API does.
 *
 * @throws {Error} for a message that no node answers with.
 */
export function message(name: string): Fields {
  const found = messages[name];
  if (found === undefined) throw new Error(`no method answers with ${name}`);
  const { properties, required } = found;
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => {
      const shape = whole(schema);
      return [field, required.includes(field) ? shape : optional(shape)];
    }),
  );
}

/** With the messages that it refers to in place of their names: a file of a command stands for itself. */
function whole(schema: Shape): Shape {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === '$ref') return Object.entries(whole(target(value as string)));
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[keyword, value]];
      return [[keyword, whole(value as Shape)]];
    }),
  );
}

function target(reference: string): Shape {
  const found = messages[reference.slice('#/$defs/'.length)];
  if (found === undefined) throw new Error(`${reference} is not there`);
  return found;
}
