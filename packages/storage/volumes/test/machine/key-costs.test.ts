import { open } from 'node:fs/promises';
import { join } from 'node:path';

import * as luks from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { machineEffects } from '../../src/machine/machine-effects.ts';

const keyDerivation = { type: 'argon2id', iterations: 4, memoryKib: 64, parallel: 1 } as const;

for (const [isRandom, type] of [
  [true, 'pbkdf2'],
  [false, 'argon2id'],
] as const) {
  test(`a header whose first key is ${isRandom ? 'random' : 'a passphrase'} has it behind ${type}`, async (t) => {
    const path = join(await temporaryDirectory(t), 'device');
    await using file = await open(path, 'wx');
    await file.truncate(64 << 20);
    using key = Secret.random(32);
    const effects = machineEffects({ machineUuid: '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e', keyDerivation });
    await effects.formatLuks(path, { key, isRandom });
    t.deepEqual(
      (await luks.keyslots.list(path)).map(({ kdf }) => kdf.type),
      [type],
    );
    t.is(await luks.testKey(path, { key }), 0);
  });
}
