import { constants } from 'node:os';

import { LuksError, unsupported } from './errors.ts';
import { Handle } from './handle.ts';
import { exclusively } from './queue.ts';
import { checkName, mappingPath, mappingState } from './status.ts';

export type ResizeOptions = {
  /** Whole sectors of 512 bytes, and of the volume's own sector size; all that the device has by default. */
  readonly sizeBytes?: bigint;
  readonly signal?: AbortSignal;
};

/**
 * Gives an active mapping another size, by default that of the device below, which has grown. What is on the mapping is
 * not touched: a filesystem is grown after, and shrunk before. Needs root; no key.
 *
 * The header keeps no size, so the next open uses the whole device again.
 *
 * @throws {LuksError} `ERR_LUKS_NOT_FOUND` when nothing is mapped under the name; `ERR_LUKS_UNSUPPORTED` for a size that
 *   is not whole sectors, or more than the device has.
 */
export async function resize(name: string, options: ResizeOptions = {}): Promise<void> {
  checkName(name);
  const { sizeBytes = 0n, signal } = options;
  if (sizeBytes < 0n || sizeBytes % 512n !== 0n || options.sizeBytes === 0n) {
    throw unsupported(name, `a size of ${sizeBytes} bytes`);
  }
  await exclusively({ device: mappingPath(name), signal }, async () => {
    if ((await mappingState(name)) === 'inactive') {
      throw new LuksError('ERR_LUKS_NOT_FOUND', name, 'ENODEV', `${name}: nothing is mapped`);
    }
    await using handle = await Handle.openMapping(name);
    const codes = { [constants.errno.EINVAL]: 'ERR_LUKS_UNSUPPORTED' } as const;
    await handle.check('crypt_resize', codes, name, sizeBytes / 512n);
  });
}
