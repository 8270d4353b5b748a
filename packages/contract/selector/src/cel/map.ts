import { Failure } from './failure.ts';
import { Uint } from './uint.ts';

/**
 * A map of CEL. Keys of different number types that are equal are the same key. Generic, because the values that it holds
 * may be maps.
 */
export class CelMap<Value = unknown> {
  readonly #entries = new Map<string | bigint | boolean, readonly [Value, Value]>();

  /** @throws {Failure} for a key that is there twice, and for one of another type than CEL allows. */
  constructor(entries: Iterable<readonly [Value, Value]>) {
    for (const [key, value] of entries) {
      const place = typeof key === 'number' ? undefined : placeOf(key);
      if (place === undefined) throw new Failure('unsupported key type');
      if (this.#entries.has(place)) throw new Failure('the map has a key twice');
      this.#entries.set(place, [key, value]);
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const place = placeOf(key);
    return place === undefined ? undefined : this.#entries.get(place)?.[1];
  }

  *keys(): Generator<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }

  entries(): Iterable<readonly [Value, Value]> {
    return this.#entries.values();
  }
}

function placeOf(key: unknown): string | bigint | boolean | undefined {
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean') return key;
  if (key instanceof Uint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : undefined;
}
