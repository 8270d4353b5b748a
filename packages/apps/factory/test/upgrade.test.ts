import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { pullInstaller } from '../../agent/src/upgrades/pull-installer.ts';
import { ask, runningFactory, submit } from './running-factory.ts';

test('a node takes an installer of the factory that made its image, and of no other', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const installer = createPublicKey(await readFile(join(running.options.storage, 'installer.key')));
  const pull = async (key: KeyObject) =>
    await pullInstaller({
      image: `127.0.0.1:${running.factory.address.port}/metal-installer/${id}:v1.14.0`,
      expectedDigest: '',
      architecture: 'amd64',
      keys: [key.export({ type: 'spki', format: 'pem' }).toString()],
      unsigned: false,
      directory: await temporaryDirectory(t),
      progress: () => {},
    });
  const { manifest, uki } = await pull(installer);
  t.like(manifest, { version: 'v1.14.0', schematic: id, secureBoot: false });
  t.is(uki.size, manifest.files.get('nodeos.uki.efi')!.size);
  const { headers } = await ask(running, `/image/${id}/v1.14.0/metal-amd64-uki.efi`, { method: 'HEAD' });
  t.is(headers['content-length'], `${uki.size}`);
  await t.throwsAsync(pull(generateKeyPairSync('ed25519').publicKey), { code: 'ERR_UPGRADE_SIGNATURE' });
});
