import { readFile } from 'node:fs/promises';

import { SWAP_FLAG_DISCARD, SWAP_FLAG_DISCARD_ONCE, swapoff, swapon } from './ffi-swap.ts';
import { mountError } from './filesystem-context.ts';
import { unescapeOctal } from './mountinfo.ts';

/** The swap space of this machine. */
export const swaps: {
  /** Paths of the devices and files in use, as the kernel has them: of a mapping, `/dev/dm-0`. */
  list(): Promise<string[]>;
  /**
   * Takes a device with a swap signature into use; a disk that can is told first that all of it is free (swapon(2)).
   * Needs root.
   *
   * @throws {BlockError} `ERR_BLOCK_BUSY` when it is in use already, else `ERR_BLOCK_FAILED` with errno.
   */
  on(path: string): Promise<void>;
  /**
   * Brings back into memory what is on the device, and lets go of it (swapoff(2)). The call can't be interrupted, and
   * takes as long as reading the pages does. Needs root.
   *
   * @throws {BlockError} `ERR_BLOCK_FAILED`, with ENOMEM when the memory has no room for it.
   */
  off(path: string): Promise<void>;
} = { list, on, off };

async function list(): Promise<string[]> {
  return parseSwaps(await readFile('/proc/swaps', 'utf8'));
}

/** The first column of `/proc/swaps` (proc_swaps(5)), without its heading. */
export function parseSwaps(text: string): string[] {
  const [, ...lines] = text.split('\n');
  return lines.flatMap((line) => {
    const [path = ''] = line.split(/\s/u);
    return path === '' ? [] : unescapeOctal(path);
  });
}

async function on(path: string): Promise<void> {
  const { result, errno } = await swapon(path, SWAP_FLAG_DISCARD | SWAP_FLAG_DISCARD_ONCE);
  if (result < 0) throw mountError('swapon', path, errno, '');
}

async function off(path: string): Promise<void> {
  const { result, errno } = await swapoff(path);
  if (result < 0) throw mountError('swapoff', path, errno, '');
}
