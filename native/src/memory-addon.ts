import type { SystemFailure } from './errors.ts';

/** What the addon has for keys in memory. */
export type MemoryAddon = {
  /** Locked memory, overwritten when the buffer is collected. */
  secretMemory(sizeBytes: number): ArrayBuffer;
  /** Why some of it is not locked. */
  secretMemoryLockFailure(): (Error & SystemFailure) | undefined;
  forbidDumps(): void;
  wipeFreedMemory(): void;
  wipeTraces(): void;
};
