import type { Encryption, KeyEntry } from '@nodecore/config';
import { identifyOpener, KeysError, synchronise, type SyncReport, type Unlocked } from '@nodecore/keys';
import type { PersistentFlag } from '@nodecore/luks';
import { codeOf } from '@nodecore/sys';
import { Backoff, type Clock, Serial } from '@nodecore/waiting';

import type { Effects } from '../effects.ts';
import { permanenceOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { SyncFailure, VolumeStatus } from '../status.ts';

/** An open volume, and the keys that it shall have. */
export type Holding = {
  readonly volumeId: string;
  readonly devPath: string;
  readonly encryption: Encryption;
  readonly previousKeys: readonly KeyEntry[];
};

export type KeyKeeperOptions = {
  readonly effects: Effects;
  readonly clock: Clock;
  readonly log: Log;
  readonly random?: () => number;
  /** Called with what has become known. */
  readonly report: (change: Partial<VolumeStatus>) => void;
};

type Run = { readonly holding: Holding; readonly abort: AbortController; readonly done: Promise<void> };

/**
 * Makes the keyslots of an open volume like its configuration, in the background and again until they are. Nothing
 * waits for it: the volume is in use meanwhile, and stays so whatever fails.
 */
export class KeyKeeper {
  readonly #options: KeyKeeperOptions;
  readonly #turn = new Serial();
  #wanted: Holding | undefined;
  #run: Run | undefined;
  #inSync: readonly KeyEntry[] | undefined;

  constructor(options: KeyKeeperOptions) {
    this.#options = options;
  }

  /** Whether these very keys have been found or put in their keyslots. */
  isInSync(keys: readonly KeyEntry[]): boolean {
    return this.#inSync === keys;
  }

  /**
   * What shall be. The same again changes nothing; other keys end what is under way, which the next run goes on with.
   *
   * @param opener a key that opens the volume, taken over; without it, one is obtained.
   */
  hold(holding: Holding, opener?: Unlocked): Promise<void> {
    return this.#turn.run(async () => {
      using stack = new DisposableStack();
      if (opener !== undefined) stack.use(opener);
      if (isSame(this.#wanted, holding)) return;
      this.#wanted = holding;
      await this.#pause();
      if (this.isInSync(holding.encryption.keys)) return;
      stack.move();
      this.#start(holding, opener);
    });
  }

  /** The configuration was read again and asks for the same: nothing has to be looked at once more. */
  renew(before: readonly KeyEntry[], after: readonly KeyEntry[]): void {
    if (this.#inSync === before) this.#inSync = after;
  }

  /** The volume is not open any more: ends what is under way. */
  release(): Promise<void> {
    return this.#turn.run(async () => {
      this.#wanted = undefined;
      this.#inSync = undefined;
      await this.#pause();
    });
  }

  /** Runs something that changes the header, while nothing else does. Afterwards the keys are looked at again. */
  exclusively<T>(operation: () => Promise<T>): Promise<T> {
    return this.#turn.run(async () => {
      await this.#pause();
      this.#inSync = undefined;
      try {
        return await operation();
      } finally {
        if (this.#wanted !== undefined) this.#start(this.#wanted, undefined);
      }
    });
  }

  #start(holding: Holding, opener: Unlocked | undefined): void {
    const abort = new AbortController();
    this.#run = { holding, abort, done: this.#untilDone(holding, opener, abort.signal) };
  }

  async #pause(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    run?.abort.abort();
    await run?.done;
  }

  async #untilDone(holding: Holding, opener: Unlocked | undefined, signal: AbortSignal): Promise<void> {
    const { clock, random, report } = this.#options;
    const backoff = new Backoff({
      firstMs: 5000,
      largestMs: 600_000,
      ...(random !== undefined && { random }),
    });
    let known = opener;
    while (!signal.aborted) {
      const failures = await this.#once(holding, known, signal);
      known = undefined;
      if (signal.aborted) return;
      if (failures.length === 0) this.#inSync = holding.encryption.keys;
      report({ encryptionFailedSyncs: failures });
      if (failures.every((failure) => failure.permanence === 'fatal')) return;
      await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
    }
  }

  /** @returns what is not in force afterwards. */
  async #once(
    { volumeId, devPath, encryption, previousKeys }: Holding,
    known: Unlocked | undefined,
    signal: AbortSignal,
  ): Promise<readonly SyncFailure[]> {
    const { effects, report } = this.#options;
    const { keys } = encryption;
    const store = effects.keyslots(devPath);
    using stack = new DisposableStack();
    if (known !== undefined) stack.use(known);
    try {
      const context = await effects.keyContext(volumeId);
      const opener =
        known ?? stack.use(await identifyOpener(store, keys, context, { previous: previousKeys, signal }));
      report({ encryptionSlot: opener.slot });
      const failedFlags = await this.#keepFlags(devPath, encryption);
      const done = await synchronise(store, keys, context, opener, { signal });
      // Only shown: a header that can't be read once more puts no key out of force.
      const { costs } = await store.read({ signal }).catch(() => ({ costs: undefined }));
      if (costs !== undefined) report({ encryptionKeyslots: costs });
      this.#tell(volumeId, done);
      return [...failedFlags, ...done.failed, ...done.unfinished.map(unfinished)];
    } catch (error) {
      if (signal.aborted) return [];
      this.#options.log.warn({ volume: volumeId, code: codeOf(error) }, 'keys can not be synchronised');
      if (error instanceof KeysError && error.failures.length > 0) return error.failures;
      return keys.map(({ slot, kind }) => ({ slot, kind, ...reasonOf(error) }));
    }
  }

  /**
   * What the document says about discards and work queues is kept in the header, so that the next opener, also another program,
   * uses the same; only once a key has proven that the volume is ours.
   */
  async #keepFlags(devPath: string, encryption: Encryption): Promise<readonly SyncFailure[]> {
    try {
      await this.#options.effects.keepFlags(devPath, flagsOf(encryption));
      return [];
    } catch (error) {
      return [{ kind: 'options', ...reasonOf(error) }];
    }
  }

  #tell(volume: string, { synced, failed, resumed, removed, unmanaged }: SyncReport): void {
    const changed = synced.filter(({ change }) => change !== 'none');
    const codes = failed.map(({ slot, kind, code }) => ({ slot, kind, code }));
    const { log } = this.#options;
    const level = failed.length === 0 ? 'info' : 'warn';
    log[level]({ volume, changed, failed: codes, resumed, removed, unmanaged }, 'keys synchronised');
  }
}

/** A keyslot or token that is not needed, and that could not be removed. */
function unfinished(message: string): SyncFailure {
  return { kind: 'clean-up', code: 'ERR_VOLUME_CLEAN_UP', message, permanence: 'transient' };
}

function isSame(before: Holding | undefined, after: Holding): boolean {
  return before?.devPath === after.devPath && before.encryption === after.encryption;
}

function flagsOf({ allowDiscards, options }: Encryption): PersistentFlag[] {
  return allowDiscards ? ['allow_discards', ...options] : [...options];
}

function reasonOf(error: unknown): Pick<SyncFailure, 'code' | 'message' | 'permanence'> {
  return {
    code: codeOf(error) ?? 'ERR_VOLUME_FAILED',
    message: error instanceof Error ? error.message : String(error),
    permanence: permanenceOf(error),
  };
}
