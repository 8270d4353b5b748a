import { type FileHandle, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, makeDirectory, writeFileAtomic } from '@nodecore/sys';
import { fileView, type View } from '@nodecore/view';

import { FactoryError } from '../errors.ts';
import { isFull } from '../full.ts';
import { type Askers, SharedWork } from '../shared-work.ts';
import { Turns } from '../turns.ts';

/** An object that stays as long as somebody holds it. */
export type Held = Disposable & { readonly view: View };

/** Writes an object into a file that is empty; ends early when the store closes. */
export type WriteObject = (file: FileHandle, signal: AbortSignal) => Promise<void>;

/** So many objects wait to be made; a disk for VMware takes seconds. */
const maxWaiting = 32;

type Kept = { readonly size: number; holders: number };

/**
 * Files that can be made again, by names that say what is in them: each is made once, however many ask, and is whole or not there,
 * whenever the process ends. Those that were used last stay, up to a size; what is held stays in any case.
 */
export class ObjectStore implements AsyncDisposable {
  readonly #directory: string;
  readonly #maxBytes: number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>();
  readonly #making = new Map<string, SharedWork<void>>();
  /** One at a time: what makes one has all processors. */
  readonly #turns = new Turns({ atOnce: 1, maxWaiting });
  readonly #closing = new AbortController();
  #removals: Promise<unknown> = Promise.resolve();

  private constructor(directory: string, maxBytes: number) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  /**
   * Opens the directory, which is made when it isn't there; only its owner reads it. Parts that were left by a crash go.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
   */
  static async open(directory: string, maxBytes: number): Promise<ObjectStore> {
    const store = new ObjectStore(directory, maxBytes);
    try {
      await makeDirectory(directory, { mode: 0o700 });
      await store.#load();
    } catch (error) {
      throw new FactoryError('ERR_FACTORY_SETUP', `${directory}: ${codeOf(error) ?? 'can not be read'}`, {
        cause: error,
      });
    }
    return store;
  }

  /** Bytes of all objects. */
  get sizeBytes(): number {
    return [...this.#kept.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * An object, which is made when it isn't there. Making goes on when who asked for it is gone; before it has begun, it is dropped.
   *
   * @param name 64 hex digits.
   * @param signal ends the waiting of who asks.
   * @throws {FactoryError} with `ERR_FACTORY_STORE_FULL`, `ERR_FACTORY_STORE`, `ERR_FACTORY_OVERLOADED`; what `write` throws.
   */
  async get(name: string, write: WriteObject, signal?: AbortSignal): Promise<Held> {
    for (;;) {
      const held = await this.#hold(name);
      if (held !== undefined) return held;
      this.#assertOpen();
      signal?.throwIfAborted();
      await this.#makingOf(name, write).wait(signal);
    }
  }

  #makingOf(name: string, write: WriteObject): SharedWork<void> {
    const known = this.#making.get(name);
    if (known?.isGoing === true && !known.isVain) return known;
    const making = new SharedWork((askers) => this.#make(name, write, askers));
    this.#making.set(name, making);
    void this.#forgetWhenSettled(name, making);
    return making;
  }

  async #forgetWhenSettled(name: string, making: SharedWork<void>): Promise<void> {
    await making.settled();
    if (this.#making.get(name) === making) this.#making.delete(name);
  }

  /** Ends what is being made, and keeps nothing of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new FactoryError('ERR_FACTORY_STORE', 'the factory ends'));
    await Promise.all(Array.from(this.#making.values(), (making) => making.settled()));
    await this.settled();
  }

  #assertOpen(): void {
    this.#closing.signal.throwIfAborted();
  }

  /** Resolves when what is to go is gone. */
  async settled(): Promise<void> {
    await this.#removals;
  }

  async #hold(name: string): Promise<Held | undefined> {
    const kept = this.#kept.get(name);
    if (kept === undefined) return undefined;
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    kept.holders += 1;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) kept.holders -= 1;
      isHeld = false;
      this.#evict(this.#maxBytes);
    };
    const view = await fileView(this.#path(name)).catch(() => undefined);
    if (view?.size === kept.size) return { view, [Symbol.dispose]: release };
    // Somebody else has removed or changed it.
    if (this.#kept.get(name) === kept) this.#kept.delete(name);
    release();
    return undefined;
  }

  async #make(name: string, write: WriteObject, { gone, keep }: Askers): Promise<void> {
    try {
      await this.#turns.run(async () => {
        keep();
        this.#assertOpen();
        await this.#write(name, write).catch(async (error: unknown) => {
          // Other objects have the room that this one needs.
          if (!isFull(error) || !this.#evict(0)) throw error;
          await this.settled();
          await this.#write(name, write);
        });
      }, gone);
      const { size } = await stat(this.#path(name));
      this.#kept.set(name, { size, holders: 0 });
    } catch (error) {
      throw this.#wrong(error);
    }
  }

  async #write(name: string, write: WriteObject): Promise<void> {
    await this.settled();
    const { signal } = this.#closing;
    await writeFileAtomic(this.#path(name), (file) => write(file, signal), { mode: 0o600 });
  }

  #wrong(error: unknown): unknown {
    if (this.#closing.signal.aborted) return this.#closing.signal.reason;
    const code = codeOf(error);
    if (isFull(error))
      return new FactoryError('ERR_FACTORY_STORE_FULL', 'no room for what this image is kept as', {
        cause: error,
      });
    if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
    return new FactoryError('ERR_FACTORY_STORE', `the store of objects fails: ${code}`, { cause: error });
  }

  /** Removes what was used longest ago, and nobody holds. @returns whether anything was. */
  #evict(maxBytes: number): boolean {
    let left = this.sizeBytes;
    const gone: string[] = [];
    for (const [name, { size, holders }] of this.#kept) {
      if (left <= maxBytes) break;
      if (holders > 0) continue;
      left -= size;
      this.#kept.delete(name);
      gone.push(name);
    }
    // In turn with what writes, so that none removes what was just made again.
    const remove = async (): Promise<void> => {
      for (const name of gone)
        if (!this.#kept.has(name)) await rm(this.#path(name), { force: true }).catch(() => {});
    };
    if (gone.length > 0) this.#removals = this.#removals.then(remove);
    return gone.length > 0;
  }

  async #load(): Promise<void> {
    const found: { readonly name: string; readonly size: number; readonly usedMs: number }[] = [];
    for (const name of await readdir(this.#directory)) {
      if (/^[0-9a-f]{64}\.part$/.test(name)) await rm(this.#path(name), { force: true });
      if (!/^[0-9a-f]{64}$/.test(name)) continue;
      const { size, atimeMs } = await stat(this.#path(name));
      found.push({ name, size, usedMs: atimeMs });
    }
    for (const { name, size } of found.sort((a, b) => a.usedMs - b.usedMs))
      this.#kept.set(name, { size, holders: 0 });
    this.#evict(this.#maxBytes);
    await this.settled();
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }
}
