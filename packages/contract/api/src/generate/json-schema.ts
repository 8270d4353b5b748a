import protobuf from 'protobufjs';

import { scalarOf } from './scalar.ts';
import { isOptional, isServed, type Schema } from './schema.ts';

type Shape = Readonly<Record<string, unknown>>;

const types: Readonly<Record<string, Shape>> = {
  string: { type: 'string' },
  bytes: { type: 'string', contentEncoding: 'base64' },
  bool: { type: 'boolean' },
  double: { type: 'number' },
};

/** JSON Schemas (draft 2020-12) of all messages that a node answers with, by name, for those who show them as JSON. */
export function messageSchemas({ services }: Schema): string {
  const found = new Map<string, Shape>();
  const take = (message: protobuf.Type): void => {
    if (found.has(message.name)) return;
    found.set(message.name, {}); // it may hold itself
    found.set(message.name, shapeOf(message));
    for (const { resolvedType } of message.fieldsArray)
      if (resolvedType instanceof protobuf.Type) take(resolvedType);
  };
  for (const service of services.filter(isServed))
    for (const { resolvedResponseType } of service.methodsArray) take(resolvedResponseType!);
  const $defs = Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function shapeOf({ comment, fieldsArray }: protobuf.Type): Shape {
  return {
    ...described(comment),
    type: 'object',
    properties: Object.fromEntries(fieldsArray.map((field) => [field.name, fieldShape(field)])),
    required: fieldsArray.filter(isAlwaysThere).map(({ name }) => name),
    additionalProperties: false,
  };
}

function isAlwaysThere(field: protobuf.Field): boolean {
  return field.map || field.repeated || !(isOptional(field) || scalarOf(field) === undefined);
}

function fieldShape(field: protobuf.Field): Shape {
  const about = described(field.comment);
  if (field.map) return { ...about, type: 'object', additionalProperties: { type: 'string' } };
  const shape = valueShape(field);
  return field.repeated ? { ...about, type: 'array', items: shape } : { ...shape, ...about };
}

/** What is no text, truth or fraction is a whole number, of enums too. */
function valueShape({ resolvedType, type }: protobuf.Field): Shape {
  if (resolvedType instanceof protobuf.Type) return { $ref: `#/$defs/${resolvedType.name}` };
  return types[type] ?? { type: 'integer' };
}

function described(comment: string | null): Shape {
  return comment === null ? {} : { description: comment.replaceAll(/\s*\n\s*/gu, ' ') };
}
