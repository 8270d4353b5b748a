import { type Probed, type ProbeRequest, Prober } from '@nodecore/native';

import { type Patience, withDeadline } from './deadline.ts';
import { BlockError } from './errors.ts';
import { Slots } from './slots.ts';

/** Two at once keep a disk and a processor busy; more only compete. */
const threads = 2;

/** More than threads, so that these find the next device waiting; few, so that a device's time starts when it is due. */
const slots = new Slots(8);

/** Others stop waiting for a call that takes longer: a disk that has to spin up must not delay them. */
const slowMs = 100;

/** Each hanging device holds a thread. Beyond this nothing more is opened until one returns. */
const mostStuck = 64;

/** Calls that did not return in time, by device. */
const stuck = new Map<string, Promise<void>>();

let prober: Prober | undefined;
let users = 0;

/** Which device: where its node is, and what tells it from one that had the name before. */
export type Device = { readonly path: string; readonly identity: string };

/**
 * Access to devices of which any may hang. What hangs is known to the whole process, so that nobody asks a device again
 * whose last call has not returned; everything else ends with the last user.
 */
export class DeviceAccess implements Disposable {
  readonly #patience: Patience;
  readonly #prober: Prober;
  #open = true;

  /** @param deadlineMs when a device counts as unresponsive; never when absent. */
  constructor(deadlineMs?: number) {
    prober ??= Prober.open({ threads });
    users += 1;
    this.#prober = prober;
    this.#patience = deadlineMs === undefined ? { slowMs } : { slowMs, deadlineMs };
  }

  /** Whether a call on the device has not returned. When it does, the promise resolves. */
  stuck(device: Device): Promise<void> | undefined {
    return stuck.get(device.identity);
  }

  /**
   * Judges a device, see {@link Prober.probe}. After the deadline it rejects with `ERR_BLOCK_UNRESPONSIVE`, after an abort
   * with the signal's reason; the call itself goes on, because nobody can interrupt it.
   */
  async probe(device: Device, request: ProbeRequest, signal?: AbortSignal): Promise<Probed> {
    refuseStuck(device);
    const release = await slots.take();
    try {
      signal?.throwIfAborted();
      const call = this.#prober.probe(device.path, request);
      const standIn = (): boolean => {
        const begun = call.replaceThread();
        if (begun) release();
        return begun;
      };
      return await withDeadline(call.result, {
        device: device.path,
        onSlow: standIn,
        onUnresponsive: () => {
          remember(device, call.result);
          call.abandon();
        },
        patience: this.#patience,
        ...(signal === undefined ? {} : { signal }),
      });
    } finally {
      release();
    }
  }

  /** Twice is fine. */
  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    users -= 1;
    closeWhenIdle();
  }
}

function refuseStuck({ path, identity }: Device): void {
  const hangs = stuck.has(identity);
  if (!hangs && stuck.size < mostStuck) return;
  const why = hangs ? 'an earlier call has not returned' : `${stuck.size} other devices hang`;
  throw new BlockError('ERR_BLOCK_UNRESPONSIVE', path, `${path}: ${why}`);
}

function remember({ identity }: Device, call: Promise<unknown>): void {
  const forget = (): void => {
    stuck.delete(identity);
    closeWhenIdle();
  };
  stuck.set(identity, call.then(forget, forget));
}

function closeWhenIdle(): void {
  if (users > 0 || stuck.size > 0) return;
  prober?.close();
  prober = undefined;
}
