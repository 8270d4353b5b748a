import { Secret } from '@nodecore/sys';

import type { Log } from './log.ts';
import { wipeKeyMessages } from './server/key-messages.ts';
import { overwriteCollected } from './strings.ts';

/**
 * At the start of the program, before the first key: no core dumps, only root looks in, and keys are in memory that is not
 * swapped.
 */
export async function protectMemory(log: Log): Promise<void> {
  try {
    const { guardMemory, secretMemory } = await import('@nodecore/native/memory');
    guardMemory();
    overwriteCollected();
    const onUnlocked = (reason: Error): void =>
      log.warn({ err: reason }, 'the kernel locks no more memory for keys: they may be swapped');
    wipeKeyMessages();
    Secret.useArena(secretMemory({ onUnlocked }));
  } catch (error) {
    log.warn({ err: error }, 'keys are in ordinary memory, which may be swapped and dumped');
  }
}
