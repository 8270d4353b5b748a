import { checkAttempt, type KeyAttempt, keyRejected, tryKey } from './key.ts';
import { loadTrusted } from './load.ts';
import { exclusively } from './queue.ts';

export type TestKeyOptions = KeyAttempt & { readonly signal?: AbortSignal };

/**
 * Finds the keyslot that a key opens, without activating anything. Works on files, and needs no device-mapper.
 *
 * @throws {LuksError} `ERR_LUKS_KEY_REJECTED` when no keyslot opens, or the one asked for doesn't.
 */
export async function testKey(device: string, options: TestKeyOptions): Promise<number> {
  checkAttempt(device, options);
  return await exclusively(async () => {
    const { handle } = await loadTrusted(device);
    await using _ = handle;
    const slot = await tryKey(handle, options);
    if (slot === undefined) throw keyRejected(device);
    return slot;
  }, options.signal);
}
