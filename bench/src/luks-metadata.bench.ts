import { format, header } from '@nodecore/luks';
import { Secret } from '@nodecore/sys';

import { runProgram, sparseFile } from './program.ts';
import { ask, type Bench } from './question.ts';

/** The part of `luksDump --dump-json-metadata` that is compared. */
type Dump = {
  readonly segments: Readonly<Record<string, { encryption: string; sector_size: number; offset: string }>>;
  readonly keyslots: Readonly<Record<string, { key_size: number; kdf: { type: string; memory: number } }>>;
};

type Facts = {
  readonly cipher: string | undefined;
  readonly sectorSize: number | undefined;
  readonly dataOffset: string | undefined;
  readonly keyslots: readonly unknown[] | undefined;
};

export const bench: Bench = {
  async prepare(stack) {
    // In memory: both sides read the same 36 KiB past the page cache, which measures the disk.
    const path = await sparseFile(stack, 32 << 20, '/dev/shm');
    using key = Secret.random(32);
    await format(path, { key, pbkdf: { type: 'argon2id', iterations: 4, memoryKib: 32, parallel: 1 } });
    return [
      ask<Facts>({
        name: 'luks-metadata',
        question: 'What does a LUKS2 header cost to read, in process and by the cryptsetup program?',
        gate: 0.06,
        rounds: 31,
        ours: {
          name: 'luks.header.read',
          run: async () => {
            const read = await header.read(path);
            return {
              cipher: read?.cipher,
              sectorSize: read?.sectorSize,
              dataOffset: read?.dataOffset.toString(),
              keyslots: read?.keyslots.map(({ slot, keySizeBits, kdf }) => [
                slot,
                keySizeBits,
                kdf.type,
                kdf.memoryKib,
              ]),
            };
          },
        },
        peer: {
          name: 'cryptsetup luksDump',
          run: async () => {
            const text = await runProgram(['cryptsetup', 'luksDump', '--dump-json-metadata', path]);
            const dump = JSON.parse(text) as Dump;
            const segment = dump.segments['0'];
            return {
              cipher: segment?.encryption,
              sectorSize: segment?.sector_size,
              dataOffset: segment?.offset,
              keyslots: Object.entries(dump.keyslots).map(([slot, { key_size, kdf }]) => [
                Number(slot),
                key_size * 8,
                kdf.type,
                kdf.memory,
              ]),
            };
          },
        },
      }),
    ];
  },
};
