import { type Json } from './field/type.ts';

/** In characters; what is shorter is no shorter as a reference. */
const worthwhile = 200;

/** The same schema, in which what occurs more than once is written once, below `$defs`. */
export function withDefinitions(schema: Json): Json {
  const times = new Map<string, number>();
  for (const part of partsOf(schema)) {
    const text = JSON.stringify(part);
    if (text.length >= worthwhile) times.set(text, (times.get(text) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  const definitions: Record<string, Json> = {};
  const share = (part: Json, name: string): Json => {
    const text = JSON.stringify(part);
    if ((times.get(text) ?? 0) < 2) return below(part, share);
    const known = names.get(text) ?? (name in definitions ? `${name}${names.size}` : name);
    if (!names.has(text)) {
      names.set(text, known);
      definitions[known] = {}; // its place, in the order in which they are met
      definitions[known] = below(part, share);
    }
    return { $ref: `#/$defs/${known}` };
  };
  const shared = below(schema, share);
  return names.size === 0 ? schema : { ...shared, $defs: definitions };
}

type Parts = { readonly properties?: Readonly<Record<string, Json>>; readonly items?: Json };

/** Every schema of a field or an item below a schema. */
function partsOf(schema: Json): readonly Json[] {
  const { properties = {}, items } = schema as Parts;
  const own = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return own.flatMap((part) => [part, ...partsOf(part)]);
}

/** The same schema with each of its fields and items made anew. */
function below(schema: Json, make: (part: Json, name: string) => Json): Json {
  const { properties, items } = schema as Parts;
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => [name, make(part, name)]),
          ),
        }),
    ...(items === undefined ? {} : { items: make(items, 'item') }),
  };
}
