import { onAbort } from '@nodecore/waiting';

export type EarliestOptions<Made> = {
  /** Attempts in all. */
  readonly max: number;
  /** How long an attempt is silent before the next one begins beside it. */
  readonly patienceMs: number;
  /** Whether the next attempt may do better than one that failed with this. */
  readonly mayPass: (error: unknown) => boolean;
  /** Ends what was made too late. */
  readonly discard: (made: Made) => void;
  /** Ends all attempts. */
  readonly signal?: AbortSignal;
};

/** Between an attempt that failed and the next one. */
const pauseMs = 50;

/**
 * What the first attempt that succeeds has made. A node that is crowded takes the newest connection first, so that another one
 * may be answered before the one that waits.
 *
 * @param attempt gives up what it has made when its signal fires: another one was earlier.
 * @returns rejects with the error of the last attempt, or of one that no other would do better than, or with `signal.reason`.
 */
export async function earliest<Made>(
  attempt: (lost: AbortSignal) => Promise<Made>,
  { max, patienceMs, mayPass, discard, signal }: EarliestOptions<Made>,
): Promise<Made> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Made>();
  const running = new Set<AbortController>();
  let timer: NodeJS.Timeout | undefined;
  let left = max;
  const end = (): void => {
    clearTimeout(timer);
    left = 0;
    for (const other of running) other.abort();
  };
  const begin = (): void => {
    left -= 1;
    const lost = new AbortController();
    running.add(lost);
    if (left > 0 && patienceMs !== Infinity) timer = setTimeout(begin, patienceMs);
    const run = async (): Promise<void> => {
      try {
        const made = await attempt(lost.signal);
        running.delete(lost);
        if (lost.signal.aborted) return discard(made); // two came at once
        end();
        resolve(made);
      } catch (error) {
        running.delete(lost);
        if (mayPass(error) && left > 0) {
          clearTimeout(timer);
          timer = setTimeout(begin, pauseMs);
        } else if (!mayPass(error) || running.size === 0) {
          end();
          reject(error);
        }
      }
    };
    void run();
  };
  using _listener = onAbort(signal, (reason) => {
    end();
    reject(reason);
  });
  begin();
  return await promise;
}
