import { Secret, wipeMessages } from '@nodecore/sys';

import { KMSService } from '@nodecore/kms/protocol';

import type { Log } from '../server/log.ts';

/**
 * At the start of the program, before the first key: no core dumps, only root looks in, and keys are in memory that is not
 * swapped.
 */
export async function protectMemory(log: Log): Promise<void> {
  try {
    const { guardMemory, secretMemory } = await import('@nodecore/native/memory');
    guardMemory();
    const onUnlocked = (reason: Error): void =>
      log.warn({ err: reason }, 'the kernel locks no more memory for keys: they may be swapped');
    wipeMessages(new Set([KMSService.seal.path, KMSService.unseal.path]));
    Secret.useArena(secretMemory({ onUnlocked }));
  } catch (error) {
    log.warn({ err: error }, 'keys are in ordinary memory, which may be swapped and dumped');
  }
}
