import { format, testKey } from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { costs } from './luks-costs.ts';
import { runProgram, sparseFile } from './program.ts';
import { loopDelayMs } from './loop-delay.ts';
import { limit } from './limit.ts';
import { ask, type Bench } from './question.ts';

const budgetMs = 2;

export const bench: Bench = {
  async prepare(stack) {
    const path = await sparseFile(stack, 32 << 20);
    const key = stack.adopt(Secret.random(32), (secret) => secret[Symbol.dispose]());
    await format(path, { key, pbkdf: costs });
    const unlock = (): Promise<number> => testKey(path, { key });
    return [
      ask({
        name: 'luks-unlock',
        question: 'How long does an unlock with argon2id take, in process and by the cryptsetup program?',
        gate: 1,
        rounds: 31,
        ours: { name: 'luks.testKey', run: unlock },
        peer: {
          name: 'cryptsetup open --test-passphrase',
          run: async () => {
            const argv = [
              'open',
              '--type',
              'luks2',
              '--test-passphrase',
              '--verbose',
              path,
              '--key-file',
              '-',
            ];
            const text = await runProgram(['cryptsetup', ...argv], key.bytes);
            return Number(/^Key slot (\d+) unlocked/m.exec(text)?.[1]);
          },
        },
      }),
      limit({
        name: 'luks-unlock-loop-delay',
        question: 'How much does an unlock delay the event loop beyond idle?',
        ours: 'p99 delay during luks.testKey − idle',
        budget: budgetMs,
        rounds: 31,
        sample: async () => {
          const started = performance.now();
          const during = await loopDelayMs(unlock);
          // Idle for as long, right after: what else the machine does is no delay of ours.
          const idle = await loopDelayMs(() => systemClock.sleep(performance.now() - started));
          return Math.max(0, during - idle);
        },
      }),
    ];
  },
};
