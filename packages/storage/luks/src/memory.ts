import { availableMemoryKib, type MemorySource } from '@nodecore/sys';

import { LuksError } from './errors.ts';

/**
 * Refuses a key derivation that can't have its memory. The kernel would hand the memory out and kill the process when it
 * is used. Another process may take the memory in between: this is a check, not a reservation.
 *
 * @throws {LuksError} `ERR_LUKS_MEMORY`, with both figures in its message.
 */
export async function requireMemory(device: string, neededKib: number, source?: MemorySource): Promise<void> {
  if (neededKib === 0) return;
  const availableKib = await availableMemoryKib(source);
  if (neededKib <= availableKib) return;
  throw memoryError(device, neededKib, availableKib);
}

/** The `ERR_LUKS_MEMORY` of a key derivation, with both figures in its message; the caller throws it. */
export function memoryError(device: string, neededKib: number, availableKib: number): LuksError {
  return new LuksError(
    'ERR_LUKS_MEMORY',
    device,
    'ENOMEM',
    `${device}: the key derivation needs ${neededKib} KiB of memory, ${availableKib} KiB are available`,
  );
}
