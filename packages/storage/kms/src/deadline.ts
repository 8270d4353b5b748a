import type { Endpoint } from '@nodecore/kms-endpoint';
import { onAbort } from '@nodecore/waiting';
import { KmsError } from './errors.ts';

/** What a call was doing when its time was over. */
export type Stage =
  | 'connecting'
  | 'in the TLS handshake'
  | 'waiting for the answer'
  | 'in the middle of the answer';

/** How far a call is, or the connection that several wait for. */
export type Progress = { stage: Stage };

/** The end of a call: by its caller, or by its deadline. */
export type Deadline = {
  /** Fires with what the call is to be rejected with. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left. */
  readonly remainingMs: number;
  progress: Progress;
};

const defaultTimeoutMs = 10_000;

/** Runs a task that ends when its time is over or the caller's signal fires. Leaves no timer and no listener. */
export async function withDeadline<T>(
  { text }: Endpoint,
  options: { readonly timeoutMs?: number | undefined; readonly signal?: AbortSignal | undefined },
  task: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const { timeoutMs = defaultTimeoutMs, signal } = options;
  signal?.throwIfAborted();
  const ending = new AbortController();
  const started = performance.now();
  const deadline: Deadline = {
    signal: ending.signal,
    progress: { stage: 'connecting' },
    get remainingMs() {
      return Math.max(1, Math.ceil(timeoutMs - (performance.now() - started)));
    },
  };
  const timer = setTimeout(() => {
    const { stage } = deadline.progress;
    ending.abort(new KmsError('ERR_KMS_TIMEOUT', text, `no answer in ${timeoutMs} ms, ${stage}`));
  }, timeoutMs);
  using _listener = onAbort(signal, (reason) => ending.abort(reason));
  try {
    return await task(deadline);
  } catch (error) {
    ending.signal.throwIfAborted(); // what the end broke is no news
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
