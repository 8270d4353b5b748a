import type { DeviceCalls } from './device-calls.ts';
import { BlockError } from '../errors.ts';
import { refuseStuck, rememberStuck } from './stuck-devices.ts';

/**
 * Reads a device, and gives up when one of the calls on it does not return before its deadline. The reading itself goes on,
 * because nobody can interrupt it; until it has ended, the device is not asked again.
 *
 * @param calls what the reading's calls run by; without it, it is waited for.
 * @throws {BlockError} `ERR_BLOCK_UNRESPONSIVE`.
 */
export async function patiently<T>(
  path: string,
  calls: DeviceCalls | undefined,
  read: () => Promise<T>,
): Promise<T> {
  if (calls === undefined) return await read();
  const device = { path, identity: path };
  refuseStuck(device);
  const reading = read();
  const givenUp = calls.hung.then((): never => {
    void rememberStuck(device, reading);
    const message = `${path}: no answer within ${calls.deadlineMs} ms`;
    throw new BlockError('ERR_BLOCK_UNRESPONSIVE', path, message);
  });
  return await Promise.race([reading, givenUp]);
}
