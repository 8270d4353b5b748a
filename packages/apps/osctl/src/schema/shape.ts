/** A JSON Schema (draft 2020-12), or a part of one. */
export type Shape = { readonly [keyword: string]: unknown };

/** A field that is left out where it says nothing. */
export type Optional = { readonly optional: Shape };

/** The fields of an object by name. */
export type Fields = Readonly<Record<string, Shape | Optional>>;

/** An object with these fields and no others. */
export function closed(fields: Fields): Shape {
  const all = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(
      all.map(([name, field]) => [name, isOptional(field) ? field.optional : field]),
    ),
    required: all.flatMap(([name, field]) => (isOptional(field) ? [] : [name])),
    additionalProperties: false,
  };
}

/** An object of which nothing, or only these fields, is promised: what else it has depends on the node. */
export function open(about: string, fields: Fields = {}): Shape {
  const { additionalProperties: _, ...shape } = closed(fields);
  return { description: about, ...shape };
}

/** An object whose names are data: all its values are alike. */
export function mapOf(values: Shape, about?: string): Shape {
  return { ...described(about), type: 'object', additionalProperties: values };
}

export function optional(shape: Shape): Optional {
  return { optional: shape };
}

function isOptional(field: Shape | Optional): field is Optional {
  return 'optional' in field;
}

export function listOf(items: Shape, about?: string): Shape {
  return { ...described(about), type: 'array', items };
}

export function text(about?: string): Shape {
  return { ...described(about), type: 'string' };
}

/** One of these words, and later of others too. */
export function word(...words: readonly string[]): Shape {
  return { type: 'string', enum: words };
}

/** RFC 3339 in UTC. */
export function time(about?: string): Shape {
  return { ...described(about), type: 'string', format: 'date-time' };
}

/** May be beyond 2^53, and is written with all digits. */
export function whole(about?: string): Shape {
  return { ...described(about), type: 'integer' };
}

export function number(about?: string): Shape {
  return { ...described(about), type: 'number' };
}

export function flag(about?: string): Shape {
  return { ...described(about), type: 'boolean' };
}

/** One of several, which are told apart by what they are. */
export function either(...shapes: readonly Shape[]): Shape {
  return { anyOf: shapes };
}

function described(about: string | undefined): Shape {
  return about === undefined ? {} : { description: about };
}

/** The node as it was named: the answers of several stand in one list. */
export const node: Fields = { node: text('the node as it was named') };
export const texts: Shape = listOf(text());
