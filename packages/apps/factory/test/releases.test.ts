import { appendFile, chmod, cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { startFactory } from '../src/index.ts';
import { ask, factoryOptions, runningFactory } from './running-factory.ts';

type Change = (directory: string) => Promise<void>;

const flip = async (path: string, at = 10): Promise<void> => {
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
};

const changes: readonly (readonly [title: string, change: Change])[] = [
  ...['kernel', 'initramfs.cpio', 'base.sqsh', 'systemd-boot.efi', 'stub.efi'].map(
    (name) => [`a byte of ${name}`, (directory: string) => flip(join(directory, 'amd64', name))] as const,
  ),
  ['a byte of release.json', (directory) => flip(join(directory, 'release.json'))],
  ['a byte of the signature', (directory) => flip(join(directory, 'release.json.sig'))],
  ['no signature', (directory) => rm(join(directory, 'release.json.sig'))],
  ['a file that is missing', (directory) => rm(join(directory, 'amd64/kernel'))],
  ['a file that is longer', (directory) => appendFile(join(directory, 'amd64/kernel'), 'x')],
  [
    'a file that is a link',
    async (directory) => {
      await rename(join(directory, 'amd64/kernel'), join(directory, 'amd64/other'));
      await symlink('other', join(directory, 'amd64/kernel'));
    },
  ],
];

for (const [title, change] of changes)
  test(`a release is not loaded, and named, after: ${title}`, async (t) => {
    const options = await factoryOptions(t);
    await change(join(options.releases, 'v1.14.0'));
    const factory = await startFactory(options);
    t.teardown(() => factory.close());
    t.deepEqual(factory.versions, ['v1.14.0-alpha.0']);
    t.is(factory.refused.length, 1);
    t.regex((await ask({ factory }, '/readyz')).body.toString(), /^ready\nnot loaded: v1\.14\.0: /);
  });

test('a release under the name of another version is not loaded', async (t) => {
  const options = await factoryOptions(t);
  await cp(join(options.releases, 'v1.14.0'), join(options.releases, 'v1.15.0'), { recursive: true });
  await mkdir(join(options.releases, 'v1.16.0.part'));
  const factory = await startFactory(options);
  t.teardown(() => factory.close());
  t.deepEqual(factory.versions, ['v1.14.0-alpha.0', 'v1.14.0']);
  t.regex(factory.refused.join(), /^not loaded: v1\.15\.0: .*v1\.14\.0$/);
});

test('without a release it is not ready, and with files that are none it does not start', async (t) => {
  const { directory, ...options } = await factoryOptions(t);
  const empty = join(directory, 'empty');
  await mkdir(empty);
  const factory = await startFactory({ ...options, releases: empty });
  t.teardown(() => factory.close());
  t.is((await ask({ factory }, '/readyz')).status, 503);
  const wrong = { code: 'ERR_FACTORY_SETUP' };
  const none = join(directory, 'none');
  await t.throwsAsync(startFactory({ ...options, releases: none }), wrong);
  await t.throwsAsync(startFactory({ ...options, releaseKeys: [none] }), wrong);
  await t.throwsAsync(startFactory({ ...options, installerSigningKey: none }), wrong);
  await t.throwsAsync(startFactory({ ...options, installerSigningKey: options.releaseKeys[0]! }), wrong);
  await t.throwsAsync(startFactory({ ...options, storage: options.releaseKeys[0]! }), wrong);
  await t.throwsAsync(
    startFactory({ ...options, listen: factory.address, storage: join(directory, 'other') }),
    wrong,
  );
});

test('the key of installers is made once, for its owner alone, and stays', async (t) => {
  const first = await runningFactory(t);
  const path = join(first.options.storage, 'installer.key');
  const before = await readFile(path);
  await first.factory.close();
  const again = await startFactory(first.options);
  t.teardown(() => again.close());
  t.deepEqual(await readFile(path), before);
  await chmod(path, 0o600);
});
