import { onAbort } from '@nodecore/waiting';

/** Signals of one wish come by several ways: from the terminal or `timeout` to the whole group, and from npm. */
const oneWishMs = 1_000;

/** Fires when somebody ends the run early; a wish that is repeated ends the process as it is. */
export function interruption(): AbortSignal {
  const early = new AbortController();
  let first: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    first ??= performance.now();
    if (performance.now() - first > oneWishMs) process.exit(1);
    early.abort(new Error(`ended by ${signal}`));
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return early.signal;
}

/** What is being done then has so long: what it makes is cleaned up behind it. */
const patienceMs = 10_000;

/**
 * The result of a step of work, or the reason of the signal as soon as the step is over or has had its time: what it fails
 * with then is the signal's doing.
 */
export async function unlessEnded<Result>(
  signal: AbortSignal,
  step: () => Promise<Result>,
  waitMs: number = patienceMs,
): Promise<Result> {
  signal.throwIfAborted();
  const work = step();
  const late = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  using _listener = onAbort(signal, () => {
    timer = setTimeout(late.resolve, waitMs);
  });
  try {
    await Promise.race([Promise.allSettled([work]), late.promise]);
    signal.throwIfAborted();
    return await work;
  } finally {
    work.catch(() => {}); // when nobody waits for it any more
    clearTimeout(timer);
  }
}
