import type { Secret } from '@nodecore/sys';

/** Keys at hand, by the keyslot that each of them is proven to open. Disposing it wipes them. */
export class Keyring implements Disposable {
  readonly #keys = new Map<number, Secret>();

  get slots(): ReadonlySet<number> {
    return new Set(this.#keys.keys());
  }

  get(slot: number): Secret | undefined {
    return this.#keys.get(slot);
  }

  /** Keeps a copy. */
  put(slot: number, key: Secret): void {
    this.drop(slot);
    this.#keys.set(slot, key.clone());
  }

  drop(slot: number): void {
    this.#keys.get(slot)?.[Symbol.dispose]();
    this.#keys.delete(slot);
  }

  /** A key that opens another keyslot than this one. */
  other(slot: number): Secret | undefined {
    for (const [proven, key] of this.#keys) if (proven !== slot) return key;
    return undefined;
  }

  /** How many different keys open these keyslots. */
  count(slots: readonly number[]): number {
    const keys: Secret[] = [];
    for (const [slot, key] of this.#keys) {
      if (slots.includes(slot) && !keys.some((other) => other.equals(key))) keys.push(key);
    }
    return keys.length;
  }

  [Symbol.dispose](): void {
    for (const slot of this.slots) this.drop(slot);
  }
}
