import { LuksError } from '@nodecore/luks';
import type { Secret } from '@nodecore/sys';
import { Serial } from '@nodecore/waiting';

import { type Candidate, candidatesOf } from './candidates.ts';
import { checkSpecs } from './check-spec.ts';
import { KeysError } from './errors.ts';
import { type KeyFailure, failureOf } from './failure.ts';
import type { KeyContext, KeySpec } from './key-spec.ts';
import type { KeyAttempt, KeyslotStore } from './keyslot-store.ts';
import { recoverFrom } from './recover.ts';
import { inSlotOrder } from './slots.ts';
import type { KeyOptions } from './within.ts';

/** A key that opened the volume, and where. Disposing it wipes the key. */
export type Unlocked = Disposable & {
  /** The keyslot; not the spec's own where a change of it was interrupted. */
  readonly slot: number;
  readonly spec: KeySpec;
  readonly key: Secret;
  /** Why the keys that were tried before did not open it. */
  readonly failures: readonly KeyFailure[];
};

export type UnlockOptions = KeyOptions & {
  /** Keys of the configuration before, tried after the present ones. */
  readonly previous?: readonly KeySpec[];
  /**
   * Tries a key on a keyslot: true when it opened, false when it was rejected. `ERR_LUKS_MEMORY` and a disk that does
   * not read the keyslot (`EIO`) count against the keyslot, any other error ends the attempt. Proves the key without
   * activating anything by default. Locks are taken in here, not around `unlock`.
   */
  readonly open?: (attempt: KeyAttempt) => Promise<boolean>;
};

/**
 * Opens a volume with the first configured key that works, in slot order.
 *
 * Sealed keys are fetched all at once, and while nothing is locked: a key server that is slow delays only the volumes
 * that no earlier key opens. The header is read first, and touched only by `open`.
 *
 * @throws {KeysError} `ERR_KEYS_NONE` with the reason of each key.
 */
export async function unlock(
  store: Pick<KeyslotStore, 'read' | 'test'>,
  specs: readonly KeySpec[],
  context: KeyContext,
  options: UnlockOptions = {},
): Promise<Unlocked> {
  const { signal, previous = [], open = (attempt) => store.test(attempt) } = options;
  checkSpecs([...specs, ...previous], context);
  const header = await store.read(signal === undefined ? {} : { signal });
  const ordered = [...inSlotOrder(specs), ...inSlotOrder(previous)];
  const failures: KeyFailure[] = [];
  await using fetches = new Fetches(context, options);
  const planned = ordered.map((spec) => ({
    spec,
    fetched: candidatesOf(spec, header).map((candidate) => fetches.start(candidate)),
  }));
  for (const { spec, fetched } of planned) {
    if (fetched.length === 0) failures.push(failureOf(spec, absent(spec)));
    for (const { candidate, key: pending } of fetched) {
      const key = await pending.catch((error: unknown) => {
        signal?.throwIfAborted();
        failures.push(failureOf(spec, error));
      });
      if (key === undefined) continue;
      for (const slot of candidate.slots) {
        signal?.throwIfAborted();
        const attempt = { slot, key, ...(signal === undefined ? {} : { signal }) };
        const refusal = await tried(spec, attempt, open);
        if (refusal === undefined) return unlocked(slot, spec, key.clone(), failures);
        failures.push(failureOf(spec, refusal));
      }
    }
  }
  throw none(failures);
}

/**
 * Finds a configured key that opens a volume, without opening it: for a mapping that is active already, whose key nobody
 * has at hand.
 *
 * @throws {KeysError} `ERR_KEYS_NONE` with the reason of each key.
 */
export async function identifyOpener(
  store: Pick<KeyslotStore, 'read' | 'test'>,
  specs: readonly KeySpec[],
  context: KeyContext,
  options: Omit<UnlockOptions, 'open'> = {},
): Promise<Unlocked> {
  return await unlock(store, specs, context, options);
}

type Fetch = { readonly candidate: Candidate; readonly key: Promise<Secret> };

/** Keys on their way. At the end those that nobody waits for any more are given up, and all are wiped. */
class Fetches implements AsyncDisposable {
  readonly #context: KeyContext;
  readonly #options: KeyOptions;
  readonly #end = new AbortController();
  /** One after the other, so that the time of a key does not run while the TPM works for another. */
  readonly #tpm = new Serial();
  readonly #keys: Promise<Secret>[] = [];

  constructor(context: KeyContext, options: KeyOptions) {
    this.#context = context;
    this.#options = options;
  }

  start(candidate: Candidate): Fetch {
    const { spec, token } = candidate;
    const { signal: outer } = this.#options;
    const signal = outer === undefined ? this.#end.signal : AbortSignal.any([outer, this.#end.signal]);
    const fetch = (): Promise<Secret> =>
      recoverFrom(spec, this.#context, token, { ...this.#options, signal });
    const key = spec.kind === 'tpm' ? this.#tpm.run(fetch, signal) : fetch();
    this.#keys.push(key);
    key.catch(() => {}); // it may fail before its turn comes, when nobody listens yet
    return { candidate, key };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    for (const settled of await Promise.allSettled(this.#keys)) {
      if (settled.status === 'fulfilled') settled.value[Symbol.dispose]();
    }
  }
}

/** Undefined when it opened; else why it did not, as far as that concerns this keyslot alone. */
async function tried(
  spec: KeySpec,
  attempt: KeyAttempt,
  open: (attempt: KeyAttempt) => Promise<boolean>,
): Promise<unknown> {
  try {
    return (await open(attempt)) ? undefined : rejected(spec, attempt.slot);
  } catch (error) {
    if (isOfKeyslot(error)) return error;
    throw error;
  }
}

/** A keyslot that was made on a machine with more memory, or lies on bad sectors, keeps no other from being tried. */
function isOfKeyslot(error: unknown): boolean {
  return error instanceof LuksError && (error.code === 'ERR_LUKS_MEMORY' || error.errno === 'EIO');
}

function unlocked(slot: number, spec: KeySpec, key: Secret, failures: readonly KeyFailure[]): Unlocked {
  return { slot, spec, key, failures, [Symbol.dispose]: () => key[Symbol.dispose]() };
}

function absent(spec: KeySpec): KeysError {
  return new KeysError('ERR_KEYS_SLOT_ABSENT', 'the header has no such keyslot', spec);
}

function rejected(spec: KeySpec, slot: number): KeysError {
  const where = slot === spec.slot ? 'its keyslot' : `spare keyslot ${slot}`;
  return new KeysError('ERR_KEYS_REJECTED', `${where} does not open with it`, spec);
}

/** One key that may come back is reason enough to try again. */
function none(failures: readonly KeyFailure[]): KeysError {
  const reasons = failures.map(({ slot, kind, message }) =>
    message.includes(`slot ${slot}:`) ? message : `${kind} key of slot ${slot}: ${message}`,
  );
  const what = `no key opens the volume: ${reasons.join('; ') || 'none is configured'}`;
  const permanence = failures.some((one) => one.permanence === 'transient') ? 'transient' : 'needs-operator';
  return new KeysError('ERR_KEYS_NONE', what, { failures, permanence });
}
