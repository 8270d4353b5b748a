import { abortable } from '@nodecore/waiting';

import { KeysError } from './errors.ts';
import type { KeySpec } from './key-spec.ts';

/** A key server has 10 s for a call, and a slow TPM takes seconds for a command. */
const defaultTimeoutMs = 30_000;

export type KeyOptions = {
  /** How long one key may take to be sealed or unsealed; 30 000 by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

/**
 * Runs the work for one key within its own time, so that a key that hangs does not use up the time of the others. Work
 * that goes on after the end, because a TPM command can't be interrupted, has its result wiped.
 */
export async function within<T extends Disposable>(
  spec: KeySpec,
  { timeoutMs = defaultTimeoutMs, signal }: KeyOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(timeout(spec, timeoutMs)), timeoutMs);
  const both = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  const result = work(both);
  try {
    return await abortable(result, both);
  } catch (error) {
    result.then(
      (late) => late[Symbol.dispose](),
      () => {},
    );
    // A client may turn the reason of the signal into an error of its own.
    throw both.aborted ? both.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

function timeout({ slot, kind }: KeySpec, timeoutMs: number): KeysError {
  return new KeysError('ERR_KEYS_TIMEOUT', `no answer within ${timeoutMs} ms`, { slot, kind });
}
