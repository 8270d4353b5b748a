import { LuksError, type Token } from '@nodecore/luks';
import type { Secret } from '@nodecore/sys';

import type { AddKeyslot, HeaderState, KeyAttempt, KeyslotStore, SetToken } from './keyslot-store.ts';
import { keyslotsOf } from './token/fields.ts';

/** A header as it would become: writes are kept here, and the one on the device is only read. */
export class ForeseenKeyslots implements KeyslotStore, Disposable {
  readonly #real: KeyslotStore;
  readonly #added = new Map<number, Secret>();
  #header: HeaderState | undefined;

  constructor(real: KeyslotStore) {
    this.#real = real;
  }

  async read(options?: { readonly signal?: AbortSignal }): Promise<HeaderState> {
    this.#header ??= await this.#real.read(options);
    return this.#header;
  }

  async test(attempt: KeyAttempt): Promise<boolean> {
    const { slot, key } = attempt;
    const added = this.#added.get(slot);
    if (added !== undefined) return added.equals(key);
    return (await this.read()).taken.includes(slot) && (await this.#real.test(attempt));
  }

  async add({ slot, key }: AddKeyslot): Promise<void> {
    const header = await this.read();
    this.#added.set(slot, key.clone());
    this.#header = {
      ...header,
      keyslots: ascending([...header.keyslots, slot]),
      taken: ascending([...header.taken, slot]),
    };
  }

  async destroy({ slot }: { readonly slot: number }): Promise<void> {
    const { keyslots, taken, tokens } = await this.read();
    this.#added.get(slot)?.[Symbol.dispose]();
    this.#added.delete(slot);
    const others = (slots: readonly number[]): number[] => slots.filter((one) => one !== slot);
    this.#header = {
      keyslots: others(keyslots),
      taken: others(taken),
      tokens: tokens.map(({ id, json }) => ({
        id,
        json: { ...json, keyslots: others(keyslotsOf(json)).map(String) },
      })),
    };
  }

  async setToken({ id, token }: SetToken): Promise<number> {
    if (id === undefined) throw new LuksError('ERR_LUKS_FULL', 'foreseen', '', 'a token needs a number');
    await this.#replaceToken(id, [{ id, json: token }]);
    return id;
  }

  async removeToken({ id }: { readonly id: number }): Promise<void> {
    await this.#replaceToken(id, []);
  }

  async #replaceToken(id: number, by: readonly Token[]): Promise<void> {
    const header = await this.read();
    const tokens = [...header.tokens.filter((token) => token.id !== id), ...by];
    this.#header = { ...header, tokens: tokens.sort((a, b) => a.id - b.id) };
  }

  [Symbol.dispose](): void {
    for (const key of this.#added.values()) key[Symbol.dispose]();
    this.#added.clear();
  }
}

function ascending(slots: readonly number[]): readonly number[] {
  return slots.toSorted((a, b) => a - b);
}
