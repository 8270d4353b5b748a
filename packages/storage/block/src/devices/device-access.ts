import { type Probed, type ProbeRequest, Prober } from '@nodecore/native';

import { type Patience, withDeadline } from './deadline.ts';
import { Slots } from './slots.ts';
import { type Device, refuseStuck, rememberStuck, stuckCall } from './stuck-devices.ts';

/** Two at once keep a disk and a processor busy; more only compete. */
const threads = 2;

/** More than threads, so that these find the next device waiting; few, so that a device's time starts when it is due. */
const slots = new Slots(8);

/** Others stop waiting for a call that takes longer: a disk that has to spin up must not delay them. */
const slowMs = 100;

let prober: Prober | undefined;
let users = 0;
/** Probes that did not return in time. */
let stuckProbes = 0;

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
    return stuckCall(device);
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
          void remember(device, call.result);
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

/** The prober stays until the last of them has returned. */
async function remember(device: Device, call: Promise<unknown>): Promise<void> {
  stuckProbes += 1;
  await rememberStuck(device, call);
  stuckProbes -= 1;
  closeWhenIdle();
}

function closeWhenIdle(): void {
  if (users > 0 || stuckProbes > 0) return;
  prober?.close();
  prober = undefined;
}
