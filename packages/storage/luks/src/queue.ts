import { isMainThread } from 'node:worker_threads';

import { type Clock, onAbort, Serial, systemClock } from '@nodecore/waiting';

import { LuksError } from './errors.ts';

export type Turn = {
  /** What the operation is about, a device or a mapping, for those who wait for it. */
  readonly device: string;
  /** Ends the wait; the operation then never starts. */
  readonly signal?: AbortSignal | undefined;
  /** How long the operation lets others wait. */
  readonly clock?: Clock;
};

/** libcryptsetup and the libraries below it are not thread-safe: one operation at a time in the whole process. */
const serial = new Serial();

/** An emulated processor takes half a minute for the costliest derivation; more takes only a disk that hangs. */
const patienceMs = 60_000;

const hasEnded = new TypeError('the operation has ended');

/** Everybody who waits for a turn. */
const waiters = new Set<(by: string) => void>();

/** The device whose operation has used up the patience of all others, for as long as it goes on. */
let holder: string | undefined;

/**
 * Runs one operation on the library when its turn comes. Memory-hard key derivations are serialised by it, too.
 *
 * A signal that fires while the operation waits rejects at once; the operation then never starts. After the start the
 * operation itself looks at the signal, because a C call can't be interrupted. When an operation has not ended after a
 * minute, those who wait, and whoever comes until it ends, are turned away: nobody knows when that will be.
 *
 * @throws {LuksError} `ERR_LUKS_HELD`, with the device that others wait for.
 */
export function exclusively<T>(
  { device, signal, clock = systemClock }: Turn,
  task: () => Promise<T>,
): Promise<T> {
  if (!isMainThread) {
    // A queue per thread would be no queue at all.
    return Promise.reject(new TypeError('luks works on the main thread only'));
  }
  if (signal?.aborted === true) return Promise.reject(signal.reason);
  if (holder !== undefined) return Promise.reject(held(device, holder));
  const wait = new AbortController();
  const listener = onAbort(signal, (reason) => wait.abort(reason));
  const turnAway = (by: string): void => wait.abort(held(device, by));
  waiters.add(turnAway);
  const waited = (): void => {
    listener[Symbol.dispose]();
    waiters.delete(turnAway);
  };
  const begin = (): Promise<T> => {
    waited();
    return limited(device, task, clock);
  };
  return serial.run(begin, wait.signal).finally(waited);
}

/** Runs an operation whose turn has come, and ends the wait of the others when it does not end. */
async function limited<T>(device: string, task: () => Promise<T>, clock: Clock): Promise<T> {
  const ended = new AbortController();
  const giveUp = (): void => {
    if (ended.signal.aborted) return; // both at one moment
    holder = device;
    for (const turnAway of waiters) turnAway(device);
  };
  clock.sleep(patienceMs, ended.signal).then(giveUp, () => {}); // it has ended
  try {
    return await task();
  } finally {
    ended.abort(hasEnded); // an error of its own each time would cost a tenth of reading a header
    holder = undefined;
  }
}

function held(device: string, by: string): LuksError {
  const what = `an operation on ${by} has not ended, and libcryptsetup does one at a time`;
  return new LuksError(
    'ERR_LUKS_HELD',
    by,
    '',
    `${device} waits for ${by}: ${what}; see whether ${by} hangs`,
  );
}
