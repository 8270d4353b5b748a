import type {
  AddKeyslot,
  DestroyKeyslot,
  HeaderState,
  KeyAttempt,
  KeyslotStore,
  SetToken,
} from '@nodecore/keys';
import { LuksError } from '@nodecore/luks';

import type { FakeLuks } from './fake-region.ts';

export type FakeKeyslotsParts = {
  readonly path: string;
  /** The header that is there now. */
  readonly luks: () => Promise<FakeLuks>;
  readonly change: (name: string, whole: () => void, torn?: () => void) => void;
};

/** Keyslots of a fake header. Each change happens whole or not at all, as the library's writes do. */
export class FakeKeyslots implements KeyslotStore {
  readonly #parts: FakeKeyslotsParts;

  constructor(parts: FakeKeyslotsParts) {
    this.#parts = parts;
  }

  async read(): Promise<HeaderState> {
    const { keys, tokens } = await this.#parts.luks();
    const taken = [...keys.keys()].sort((a, b) => a - b);
    const costs = taken.map((slot) => ({
      slot,
      type: 'argon2id',
      iterations: 4,
      memoryKib: 32,
      parallel: 1,
    }));
    return { keyslots: taken, taken, costs, tokens: [...tokens].map(([id, json]) => ({ id, json })) };
  }

  async test({ slot, key }: KeyAttempt): Promise<boolean> {
    const { keys, badKeyslot } = await this.#parts.luks();
    return slot !== badKeyslot && keys.get(slot) === key.bytes.toString('hex');
  }

  async add({ slot, key, existing }: AddKeyslot): Promise<void> {
    const { keys } = await this.#parts.luks();
    this.#require([...keys.values()].includes(existing.bytes.toString('hex')), 'ERR_LUKS_KEY_REJECTED');
    this.#require(!keys.has(slot), 'ERR_LUKS_BUSY');
    const hex = key.bytes.toString('hex');
    this.#change(`add key ${slot}`, () => keys.set(slot, hex));
  }

  async destroy({ slot, remaining }: DestroyKeyslot): Promise<void> {
    const { keys, tokens } = await this.#parts.luks();
    const others = [...keys].filter(([other]) => other !== slot).map(([, hex]) => hex);
    this.#require(others.includes(remaining.bytes.toString('hex')), 'ERR_LUKS_LAST_KEYSLOT');
    this.#change(`destroy key ${slot}`, () => {
      keys.delete(slot);
      for (const [id, json] of tokens)
        tokens.set(id, { ...json, keyslots: json.keyslots.filter((one) => one !== `${slot}`) });
    });
  }

  async setToken({ id, token }: SetToken): Promise<number> {
    const { tokens, keys } = await this.#parts.luks();
    this.#require(
      token.keyslots.every((slot) => keys.has(Number(slot))),
      'ERR_LUKS_NOT_FOUND',
    );
    const free = Array.from({ length: 32 }, (_, index) => index).find((one) => !tokens.has(one));
    const place = id ?? free ?? 0;
    this.#change(`set token ${place}`, () => tokens.set(place, token));
    return place;
  }

  async removeToken({ id }: { readonly id: number }): Promise<void> {
    const { tokens } = await this.#parts.luks();
    if (tokens.has(id)) this.#change(`remove token ${id}`, () => tokens.delete(id));
  }

  #change(name: string, whole: () => void): void {
    this.#parts.change(`${name} of ${this.#parts.path}`, whole, () => {});
  }

  #require(condition: boolean, code: LuksError['code']): void {
    if (!condition) throw new LuksError(code, this.#parts.path, '', `${this.#parts.path}: ${code}`);
  }
}
