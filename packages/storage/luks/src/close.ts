import { constants } from 'node:os';

import { type Clock, systemClock } from '@nodecore/waiting';

import { callFailed } from './errors.ts';
import { call, errorText } from './log.ts';
import { exclusively } from './queue.ts';
import { checkName, mappingPath, mappingState } from './status.ts';

export type CloseOptions = {
  /** How long to wait for others to let go, in milliseconds; 5000 by default. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
  /** Ends the wait; the mapping then stays. */
  readonly signal?: AbortSignal;
};

const pauseMs = 50;

/**
 * Removes a mapping. One that isn't active counts as closed.
 *
 * A program that probes the device for its content holds it for an instant, so a busy mapping is asked again until
 * `timeoutMs` has passed; other operations go on meanwhile.
 *
 * @throws {LuksError} `ERR_LUKS_BUSY` when something still has it open.
 */
export async function close(name: string, options: CloseOptions = {}): Promise<void> {
  checkName(name);
  const { timeoutMs = 5000, clock = systemClock, signal } = options;
  const deadline = clock.now() + timeoutMs;
  while (!(await exclusively({ device: mappingPath(name), signal }, () => closeNow(name)))) {
    if (clock.now() >= deadline) throw callFailed('crypt_deactivate', name, -constants.errno.EBUSY);
    await clock.sleep(pauseMs, signal);
  }
}

/** False when the mapping is in use. Asking first spares the library's own wait, which would hold the queue. */
async function closeNow(name: string): Promise<boolean> {
  const state = await mappingState(name);
  if (state === 'inactive') return true;
  if (state === 'busy') return false;
  const status = await call('crypt_deactivate', null, name);
  if (status >= 0 || status === -constants.errno.ENODEV) return true;
  if (status === -constants.errno.EBUSY) return false;
  throw callFailed('crypt_deactivate', name, status, errorText());
}
