import { limitArenas } from './ffi.ts';
import type { Log } from './log.ts';

/** At the start of the program. Where libc is another one, memory is kept as that sees fit. */
export function spareMemory(log: Log): void {
  try {
    limitArenas(2); // threads of the pool wait for the kernel, not for malloc
  } catch (error) {
    log.warn({ err: error }, 'threads keep what they have freed');
  }
}
