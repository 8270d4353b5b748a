import { availableMemoryKib, type MemorySource, unusedMemoryKib } from '@nodecore/sys';

import { mapPopulated, unmap } from './ffi-memory.ts';

/** How much is asked for at a time; after each the machine is looked at again. */
const stepKib = 64 << 10;
/** Left to everybody else, besides what the kernel keeps back. */
const reserveKib = 64 << 10;

/** Takes memory from the kernel and gives it back; other functions in tests. */
export type Mapper = {
  map(sizeBytes: number): Promise<bigint | undefined>;
  unmap(address: bigint, sizeBytes: number): void;
};

const kernel: Mapper = { map: mapPopulated, unmap };

/**
 * Makes the kernel give up page cache until this much memory is free: it does so for whoever asks for memory, and what is
 * given back is free. Never takes what is not available, so nobody is killed for it.
 *
 * @returns false when so much can't be had.
 */
export async function freeMemory(
  wantedKib: number,
  source?: MemorySource,
  mapper: Mapper = kernel,
): Promise<boolean> {
  const held: bigint[] = [];
  try {
    while ((await unusedMemoryKib(source)) + held.length * stepKib < wantedKib + reserveKib) {
      if ((await availableMemoryKib(source)) < stepKib + reserveKib) return false;
      const address = await mapper.map(stepKib * 1024);
      if (address === undefined) return false;
      held.push(address);
    }
    return true;
  } finally {
    for (const address of held) mapper.unmap(address, stepKib * 1024);
  }
}
