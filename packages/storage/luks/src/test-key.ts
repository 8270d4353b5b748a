import type { Expectation } from './expectation.ts';
import { checkAttempt, type KeyAttempt, keyRejected, tryKey } from './key.ts';
import { loadTrusted } from './load.ts';
import { exclusively } from './queue.ts';

export type TestKeyOptions = KeyAttempt & {
  /** What the header must say. It is compared before the key is tried. */
  readonly expect?: Expectation;
  readonly signal?: AbortSignal;
};

/**
 * Finds the keyslot that a key opens, without activating anything. Works on files, and needs no device-mapper.
 *
 * @throws {LuksError} `ERR_LUKS_KEY_REJECTED` when no keyslot opens, or the one asked for doesn't;
 *   `ERR_LUKS_MEMORY` when keyslots were left out for want of memory and no other opened.
 */
export async function testKey(device: string, options: TestKeyOptions): Promise<number> {
  checkAttempt(device, options);
  return await exclusively({ device, signal: options.signal }, async () => {
    const { handle, facts } = await loadTrusted(device, options.expect);
    await using _ = handle;
    const result = await tryKey(handle, facts, options);
    if (result.keyslot === undefined) throw result.refused ?? keyRejected(device);
    return result.keyslot;
  });
}
