import { format, type TokenJson, tokens } from '@nodecore/luks';
import { Secret } from '@nodecore/sys';

import { runProgram, sparseFile } from './program.ts';
import { ask, type Bench } from './question.ts';

/** As large as a token that holds a sealed key. */
const token: TokenJson = {
  type: 'nodecore-bench',
  keyslots: ['0'],
  blob: Buffer.alloc(512, 7).toString('base64'),
  pcrs: [7, 11],
};

export const bench: Bench = {
  async prepare(stack) {
    const path = await sparseFile(stack, 32 << 20, '/dev/shm');
    using key = Secret.random(32);
    await format(path, { key, pbkdf: { type: 'argon2id', iterations: 4, memoryKib: 32, parallel: 1 } });
    await tokens.set(path, { token, id: 0 });
    return [
      ask<unknown>({
        name: 'luks-token',
        question: 'What does a token cost to read, in process and by the cryptsetup program?',
        gate: 0.06,
        rounds: 31,
        ours: { name: 'luks.tokens.get', run: async () => (await tokens.get(path, 0))?.json },
        peer: {
          name: 'cryptsetup token export',
          run: async () =>
            JSON.parse(await runProgram(['cryptsetup', 'token', 'export', '--token-id', '0', path])),
        },
      }),
    ];
  },
};
