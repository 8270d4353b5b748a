import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { emptiness } from '@nodecore/block';

import { limit } from './limit.ts';
import { runProgram } from './program.ts';
import type { Bench } from './question.ts';

const sizeBytes = 16 * 2 ** 40;

export const bench: Bench = {
  async prepare(stack) {
    // A file of this size is too large for ext4; what is in memory has no seeks, as the budget is for.
    const file = join('/dev/shm', `nodecore-emptiness-${process.pid}.img`);
    stack.defer(() => rm(file, { force: true }));
    await using handle = await open(file, 'w');
    await handle.truncate(sizeBytes);
    const device = (await runProgram(['losetup', '--find', '--show', file])).trim();
    stack.defer(async () => {
      await runProgram(['losetup', '--detach', device]);
    });
    return [
      limit({
        name: 'block-emptiness',
        question: 'How long does it take to prove a disk of 16 TiB empty?',
        ours: 'block.emptiness',
        budget: 1000,
        sample: async () => {
          const { empty, receipt } = await emptiness(device);
          if (!empty) throw new Error(`${device} is not empty: ${receipt.found.join(', ')}`);
          return receipt.tookMs;
        },
      }),
    ];
  },
};
