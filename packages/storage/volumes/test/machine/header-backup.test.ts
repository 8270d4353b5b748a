import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { identifyOpener, type KeySpec } from '@nodecore/keys';
import * as luks from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { machineEffects } from '../../src/machine/machine-effects.ts';

const keyDerivation = { type: 'pbkdf2', iterations: 1000 } as const;

test('a key that opens the backup of a real header is found without the device', async (t) => {
  const path = join(await temporaryDirectory(t), 'device');
  await using file = await open(path, 'wx');
  await file.truncate(64 << 20);
  using passphrase = Secret.take(Buffer.from('right'));
  using later = Secret.take(Buffer.from('later'));
  await luks.format(path, { key: passphrase, pbkdf: keyDerivation });
  const machineUuid = '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e';
  const effects = machineEffects({ machineUuid, keyDerivation });
  const saved = await effects.backupHeader(path, {});
  await luks.keyslots.change(path, { existing: passphrase, key: later, pbkdf: keyDerivation });
  const specs: KeySpec[] = [{ slot: 0, kind: 'static', passphrase }];
  await using backup = await effects.openBackup(path, saved, {});
  using opener = await identifyOpener(backup.keyslots, specs, await effects.keyContext('u-data'));
  t.is(opener.slot, 0);
  await effects.restoreHeader(path, saved, { key: { slot: opener.slot, key: opener.key } });
  t.is(await luks.testKey(path, { key: passphrase }), 0);
});
