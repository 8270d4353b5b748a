import { Value } from './value.ts';

/** A value as templates print it: lists in brackets, maps as `map[key:value]` in the order of their keys. */
export function print(value: unknown): string {
  if (value instanceof Value) return value.text();
  if (Array.isArray(value)) return `[${value.map(print).join(' ')}]`;
  if (value instanceof Map) {
    return `map[${sortedEntries(value)
      .map(([key, element]) => `${key}:${print(element)}`)
      .join(' ')}]`;
  }
  if (value === undefined || value === null) return '<no value>';
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  if (typeof value === 'string') return value;
  const plain = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
  return plain ? String(value) : '<cgroup>';
}

/** By key, so that the same cgroup is printed the same every time. */
export function sortedEntries(map: ReadonlyMap<unknown, unknown>): [string, unknown][] {
  return [...map]
    .map(([key, value]): [string, unknown] => [String(key), value])
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
