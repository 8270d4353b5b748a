import type { FileHandle } from 'node:fs/promises';

import { abortable } from '@nodecore/waiting';

import { FactoryError } from '../errors.ts';
import type { Bucket } from './bucket.ts';
import type { Held, ObjectStore, WriteObject } from './object-store.ts';

/** How many came from the bucket, went there, and did neither because it failed. */
export type SharedCounts = { readonly fetched: number; readonly put: number; readonly failed: number };

/** For how long a bucket that was silent, or too slow, is not asked: each time costs half a minute, and others wait behind it. */
const pauseMs = 60_000;

/** Does something while no other factory does it for the same name. */
export type InTurn = (name: string, work: () => Promise<void>) => Promise<void>;

/**
 * Objects that several factories share: what one has made, the others fetch. A bucket that fails costs time alone: then each makes
 * its own.
 */
export class SharedObjects {
  readonly #local: ObjectStore;
  readonly #bucket: Bucket;
  readonly #inTurn: InTurn;
  readonly #warn: (line: string) => void;
  readonly #nowMs: () => number;
  #isFailing = false;
  #pausedUntilMs = -Infinity;
  #fetched = 0;
  #put = 0;
  #failed = 0;

  constructor(options: {
    readonly local: ObjectStore;
    readonly bucket: Bucket;
    readonly inTurn: InTurn;
    readonly warn: (line: string) => void;
    /** A clock that nobody sets, in milliseconds. */
    readonly nowMs?: () => number;
  }) {
    this.#local = options.local;
    this.#bucket = options.bucket;
    this.#inTurn = options.inTurn;
    this.#warn = options.warn;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Since the start. */
  readonly counts = (): SharedCounts => ({ fetched: this.#fetched, put: this.#put, failed: this.#failed });

  /** As {@link ObjectStore.get}. */
  async get(name: string, write: WriteObject, asker?: AbortSignal): Promise<Held> {
    const make: WriteObject = async (file, signal) => {
      if (await this.#fetch(name, file, signal)) return;
      const turn = this.#inTurn(name, async () => {
        signal.throwIfAborted();
        // Who had the turn before may have put it there.
        if (await this.#fetch(name, file, signal)) return;
        await write(file, signal);
        await this.#tried(signal, async () => {
          await this.#bucket.write(name, file, signal);
          this.#put += 1;
        });
      });
      // Who waits for a turn may wait for another factory.
      await abortable(turn, signal);
    };
    return await this.#local.get(name, make, asker);
  }

  async #fetch(name: string, file: FileHandle, signal: AbortSignal): Promise<boolean> {
    const isThere = await this.#tried(signal, async () => await this.#bucket.read(name, file, signal));
    if (isThere === true) this.#fetched += 1;
    // What came before a connection was cut is no part of what is made in its place.
    else await file.truncate(0);
    return isThere === true;
  }

  /** @returns undefined for what the bucket did not do. */
  async #tried<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#nowMs() < this.#pausedUntilMs) return undefined;
    try {
      const result = await work();
      if (this.#isFailing) this.#warn(`cache.s3: ${this.#bucket.name}: answers again`);
      this.#isFailing = false;
      return result;
    } catch (error) {
      if (!(error instanceof FactoryError)) throw error;
      signal.throwIfAborted();
      this.#failed += 1;
      if (error.message === 'ETIMEDOUT') this.#pausedUntilMs = this.#nowMs() + pauseMs;
      if (!this.#isFailing)
        this.#warn(
          `cache.s3: ${this.#bucket.name}: ${error.message}: images are made here until it is better`,
        );
      this.#isFailing = true;
      return undefined;
    }
  }
}
