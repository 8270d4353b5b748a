import { type Merge, type Type } from './type.ts';

export type ListOptions = {
  readonly least?: number;
  readonly most?: number;
  /** A patch takes the place of the list, or of the item with the same value in a field. */
  readonly merge?: Merge;
};

/** A list. Equal items are refused where they are plain, and where a field tells them apart. */
export function list<T>(
  item: Type<T>,
  { least = 0, most = 1024, merge }: ListOptions = {},
): Type<readonly T[]> {
  const key = typeof merge === 'object' ? merge.by : undefined;
  return {
    get json() {
      return {
        type: 'array',
        items: item.json,
        ...(least > 0 ? { minItems: least } : {}),
        maxItems: most,
        ...(item.fields === undefined ? { uniqueItems: true } : {}),
        ...(merge === undefined ? {} : { 'x-merge': key === undefined ? 'replace' : { by: key } }),
      };
    },
    says: `list of ${item.says}`,
    item,
    ...(merge === undefined ? {} : { merge }),
    read: (at) => {
      if (!at.isList()) return at.wrongType('a list');
      const places = at.items();
      const values: T[] = [];
      const seen = new Set<string>();
      for (const place of places) {
        const told = key === undefined ? place : place.get(key);
        const scalar = told?.scalar();
        const name = scalar === undefined ? undefined : wordOf(scalar.value, scalar.source);
        if (name !== undefined && seen.has(name)) told?.problem('list.duplicate', 'is in the list already');
        if (name !== undefined) seen.add(name);
        const value = item.read(place);
        if (value !== undefined) values.push(value);
      }
      if (places.length < least)
        at.problem('list.short', least === 1 ? 'must not be empty' : `must have at least ${least} items`);
      if (places.length > most) at.problem('list.long', `has at most ${most} items`);
      return values.length === places.length ? values : undefined;
    },
  };
}

/** What distinguishes an item from the others: a number as it was written. */
function wordOf(value: unknown, source: string | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? source : typeof value === 'boolean' ? String(value) : undefined;
}

export type MapOptions = {
  /** What the names must look like. */
  readonly names?: Type<string>;
  readonly most?: number;
};

/** A mapping whose names the user chooses. */
export function map<T>(item: Type<T>, { names, most = 1024 }: MapOptions = {}): Type<ReadonlyMap<string, T>> {
  return {
    get json() {
      return {
        type: 'object',
        additionalProperties: item.json,
        ...(most === Infinity ? {} : { maxProperties: most }),
        ...(names === undefined ? {} : { propertyNames: names.json }),
      };
    },
    says: `map of ${item.says}`,
    item,
    read: (at) => {
      if (!at.isMapping()) return at.wrongType('a mapping');
      const entries = at.entries();
      // Rules for names look each up in the mapping, which of too many takes long.
      if (entries.length > most) {
        at.problem('map.long', `has at most ${most} entries`);
        return undefined;
      }
      const values = new Map<string, T>();
      for (const [name, place] of entries) {
        const value = item.read(place);
        const isName =
          names === undefined ||
          names.read(at.name(name, item.secret === undefined ? name : '?')) !== undefined;
        if (isName && value !== undefined) values.set(name, value);
      }
      return values.size === entries.length ? values : undefined;
    },
  };
}
