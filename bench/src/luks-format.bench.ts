import { format, header } from '@nodecore/luks';
import { Secret } from '@nodecore/sys';

import { costArguments, costs } from './luks-costs.ts';
import { runProgram, sparseFile } from './program.ts';
import { ask, type Bench } from './question.ts';

const uuid = '0f0e0d0c-0b0a-4908-8706-050403020100';

export const bench: Bench = {
  async prepare(stack) {
    const one = await sparseFile(stack, 32 << 20);
    const other = await sparseFile(stack, 32 << 20);
    const key = stack.adopt(Secret.random(32), (secret) => secret[Symbol.dispose]());
    return [
      ask({
        name: 'luks-format',
        question:
          'How long does a format with the same parameters take, in process and by the cryptsetup program?',
        gate: 1,
        rounds: 31,
        ours: {
          name: 'luks.format',
          run: async () => {
            await format(one, { key, uuid, sectorSize: 4096, pbkdf: costs, overwrite: true });
            return await header.read(one);
          },
        },
        peer: {
          name: 'cryptsetup luksFormat',
          run: async () => {
            const parameters = ['--uuid', uuid, '--sector-size', '4096', '--key-size', '512'];
            const argv = ['luksFormat', '--type', 'luks2', '--batch-mode', ...parameters, ...costArguments];
            await runProgram(['cryptsetup', ...argv, other, '--key-file', '-'], key.bytes);
            return await header.read(other);
          },
        },
      }),
    ];
  },
};
