import type { HeaderState, KeyslotStore } from '../src/index.ts';
import { type Token, type TokenJson, LuksError } from '@nodecore/luks';
import type { Secret } from '@nodecore/sys';

/** The power was cut: nothing answers any more until the machine starts again. */
export class PowerCut extends Error {}

export type Write = 'add' | 'destroy' | 'setToken' | 'removeToken';
type SetOptions = Parameters<KeyslotStore['setToken']>[0];

/** A LUKS2 header in memory, with the library's rules: what is assigned exists, and a keyslot takes its references along. */
export class FakeHeader implements KeyslotStore {
  readonly keys: Map<number, Buffer>;
  readonly stored: Map<number, TokenJson>;
  /** Writes so far. */
  writes = 0;
  /** Loses power when this many writes have been done. */
  cutAfter = Infinity;
  /** Room for keyslots; fewer than there are numbers in a header with a small keyslot area. */
  room = 32;
  /** Throws to make a write fail. */
  beforeWrite: (write: Write, slot: number | undefined, token: TokenJson | undefined) => void = () => {};
  tests = 0;
  #isOff = false;

  constructor(keys = new Map<number, Buffer>(), stored = new Map<number, TokenJson>()) {
    this.keys = keys;
    this.stored = stored;
  }

  /** The same header, in a machine that has just been started. */
  restarted(): FakeHeader {
    const header = new FakeHeader(new Map(this.keys), structuredClone(this.stored));
    header.room = this.room;
    return header;
  }

  get slots(): readonly number[] {
    return [...this.keys.keys()].sort((a, b) => a - b);
  }

  get tokens(): readonly Token[] {
    return [...this.stored].map(([id, json]) => ({ id, json })).sort((a, b) => a.id - b.id);
  }

  async read(): Promise<HeaderState> {
    this.#power();
    return { keyslots: this.slots, taken: this.slots, tokens: structuredClone(this.tokens) };
  }

  async test({ slot, key }: { readonly slot: number; readonly key: Secret }): Promise<boolean> {
    this.#power();
    this.tests += 1;
    return this.keys.get(slot)?.equals(key.bytes) ?? false;
  }

  async add({ slot, key, existing }: Parameters<KeyslotStore['add']>[0]): Promise<void> {
    this.#power();
    if (this.keys.has(slot)) throw luks('ERR_LUKS_BUSY', `keyslot ${slot} is in use`);
    if (!this.#opens(existing)) throw luks('ERR_LUKS_KEY_REJECTED', 'no keyslot opens with this key');
    this.beforeWrite('add', slot, undefined);
    if (this.keys.size >= this.room) throw luks('ERR_LUKS_FULL', 'no room for a keyslot');
    this.keys.set(slot, Buffer.from(key.bytes));
    this.#written();
  }

  async destroy({ slot, remaining }: Parameters<KeyslotStore['destroy']>[0]): Promise<void> {
    this.#power();
    if (!this.keys.has(slot)) throw luks('ERR_LUKS_NOT_FOUND', `no keyslot ${slot}`);
    if (!this.#opens(remaining, slot)) throw luks('ERR_LUKS_KEY_REJECTED', 'no other keyslot opens');
    this.beforeWrite('destroy', slot, undefined);
    this.keys.delete(slot);
    for (const [id, json] of this.stored) {
      this.stored.set(id, { ...json, keyslots: json.keyslots.filter((one) => one !== String(slot)) });
    }
    this.#written();
  }

  async setToken({ id, token }: SetOptions): Promise<number> {
    this.#power();
    for (const slot of token.keyslots) {
      if (!this.keys.has(Number(slot))) throw luks('ERR_LUKS_NOT_FOUND', `no keyslot ${slot}`);
    }
    this.beforeWrite('setToken', undefined, token);
    const free = Array.from({ length: 32 }, (_, n) => n).find((n) => !this.stored.has(n));
    const chosen = id ?? free;
    if (chosen === undefined) throw luks('ERR_LUKS_FULL', 'all tokens are in use');
    this.stored.set(chosen, structuredClone(token));
    this.#written();
    return chosen;
  }

  async removeToken({ id }: { readonly id: number }): Promise<void> {
    this.#power();
    this.beforeWrite('removeToken', undefined, this.stored.get(id));
    this.stored.delete(id);
    this.#written();
  }

  #opens(key: Secret, except?: number): boolean {
    return [...this.keys].some(([slot, bytes]) => slot !== except && bytes.equals(key.bytes));
  }

  #power(): void {
    if (this.#isOff) throw new PowerCut();
  }

  #written(): void {
    this.writes += 1;
    if (this.writes < this.cutAfter) return;
    this.#isOff = true;
    throw new PowerCut();
  }
}

function luks(code: ConstructorParameters<typeof LuksError>[0], message: string): LuksError {
  return new LuksError(code, 'fake', '', message);
}
