import { setImmediate as turn } from 'node:timers/promises';

import { onAbort } from '@nodecore/waiting';

import { BlockError } from '../errors.ts';

/** How long a call on a device may take, from when it begins; it begins at the latest after a deadline of waiting. */
export type Patience = {
  /** After this the call counts as slow: others stop waiting for it, its caller does not. */
  readonly slowMs: number;
  /** After this the device counts as unresponsive; never when absent. */
  readonly deadlineMs?: number;
};

export type DeadlineOptions = {
  readonly device: string;
  /** Says whether the call has begun; while it still waits for its turn, it is asked again. */
  readonly onSlow: () => boolean;
  /** Called when a slow call is given up, by deadline or abort. */
  readonly onUnresponsive: () => void;
  readonly patience: Patience;
  readonly signal?: AbortSignal;
};

/** Waits for a call on a device, but not longer than its deadline, and not beyond an abort. The call itself goes on. */
export async function withDeadline<T>(result: Promise<T>, options: DeadlineOptions): Promise<T> {
  const { device, onSlow, onUnresponsive, patience, signal } = options;
  const { slowMs, deadlineMs = Infinity } = patience;
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  let slow = false;
  let ended = false;
  let waitedMs = 0;
  const look = (): void => {
    slow = onSlow() || waitedMs >= deadlineMs;
    if (slow) return;
    // What others need is not this device's fault: its own time has not begun.
    waitedMs += slowMs;
    slowTimer.refresh();
    deadlineTimer?.refresh();
  };
  const giveUp = (reason: unknown): void => {
    // An abort in the first moments says nothing about the device.
    if (slow || waitedMs > 0) onUnresponsive();
    reject(reason);
  };
  const expire = async (): Promise<void> => {
    slow = true;
    onSlow();
    await turn(); // timers go before answers: where the main thread is late, the call's may be waiting for it
    if (ended) return;
    const late = `${device}: no answer within ${deadlineMs} ms`;
    giveUp(new BlockError('ERR_BLOCK_UNRESPONSIVE', device, late));
  };
  const slowTimer = setTimeout(look, slowMs);
  const deadlineTimer = deadlineMs === Infinity ? undefined : setTimeout(() => void expire(), deadlineMs);
  using _listener = onAbort(signal, giveUp);
  try {
    return await Promise.race([result, givenUp]);
  } finally {
    ended = true;
    clearTimeout(slowTimer);
    clearTimeout(deadlineTimer);
  }
}
