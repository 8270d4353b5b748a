import {
  appendFile,
  chmod,
  cp,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { startFactory } from '../src/index.ts';
import { ask, factoryOptions, runningFactory, submit, writeRelease } from './running-factory.ts';

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
  ['a file that is cut off', (directory) => truncate(join(directory, 'amd64/base.sqsh'), 1 << 20)],
  ['release.json that is cut off', (directory) => truncate(join(directory, 'release.json'), 100)],
  ['a signature that is cut off', (directory) => truncate(join(directory, 'release.json.sig'), 10)],
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

test('a release that comes in is offered without a restart, what is there goes on, and what is gone is gone', async (t) => {
  const said: string[] = [];
  const running = await runningFactory(t, { onWarning: (line) => said.push(line) });
  const { factory, options } = running;
  const path = `/image/${await submit(running, '{}')}/v1.14.0/initramfs-amd64.xz`;
  const { headers, body } = await ask(running, path);
  await writeRelease(options.releases, 'v1.14.1');
  await mkdir(join(options.releases, 'v1.14.2.part'));
  await writeRelease(options.releases, 'v1.14.3');
  await flip(join(options.releases, 'v1.14.3/amd64/kernel'));
  await rm(join(options.releases, 'v1.14.0-alpha.0'), { recursive: true });
  await factory.reloadReleases();
  t.deepEqual(factory.versions, ['v1.14.0', 'v1.14.1']);
  t.deepEqual(JSON.parse((await ask(running, '/versions')).body.toString()), ['v1.14.0', 'v1.14.1']);
  const tags = await ask(running, '/v2/os/release/tags/list');
  t.deepEqual(JSON.parse(tags.body.toString()).tags, ['v1.14.0', 'v1.14.1']);
  t.is((await ask(running, '/v2/os/release/manifests/v1.14.1')).status, 200);
  t.is((await ask(running, path.replace('v1.14.0', 'v1.14.1'), { method: 'HEAD' })).status, 200);
  t.regex((await ask(running, '/readyz')).body.toString(), /^ready\nnot loaded: v1\.14\.3: /);
  t.regex(said.join('\n'), /^loaded: v1\.14\.1: sha256:[0-9a-f]{64}\nnot loaded: v1\.14\.3: [^\n]+$/);
  const again = await ask(running, path);
  t.is(again.headers['etag'], headers['etag']);
  t.true(again.body.equals(body));
  await factory.reloadReleases();
  t.is(said.length, 2, 'what was said is not said again');
});

test('a release that was built anew in its place is another one after the next look, and one that was altered is none', async (t) => {
  const running = await runningFactory(t, { onWarning: () => {} });
  const { factory, options } = running;
  const path = `/image/${await submit(running, '{}')}/v1.14.0/kernel-amd64`;
  const { headers } = await ask(running, path);
  await writeRelease(options.releases, 'v1.14.0', {}, { 'vex.json': '{}' });
  t.is((await ask(running, `${path}.sha256`)).status, 503);
  await factory.reloadReleases();
  const again = await ask(running, path);
  t.is(again.status, 200);
  t.not(again.headers['etag'], headers['etag']);
  await flip(join(options.releases, 'v1.14.0/amd64/kernel'));
  await factory.reloadReleases();
  t.is((await ask(running, path)).status, 404);
  t.deepEqual(factory.versions, ['v1.14.0-alpha.0']);
});

test('a release that is put in its place again, byte for byte, is served again after the next look', async (t) => {
  const running = await runningFactory(t, { onWarning: () => {} });
  const { factory, options } = running;
  const id = await submit(running, '{}');
  const paths = [
    'kernel-amd64',
    'initramfs-amd64.xz',
    'metal-amd64-uki.efi',
    'metal-amd64.iso',
    'metal-amd64.qcow2',
    'metal-amd64.raw.zst',
  ];
  const tag = `/v2/metal-installer/${id}/manifests/v1.14.0`;
  const before = await Promise.all(
    [...paths.map((name) => `/image/${id}/v1.14.0/${name}`), tag].map((path) => ask(running, path)),
  );
  await rm(join(options.releases, 'v1.14.0'), { recursive: true });
  await writeRelease(options.releases, 'v1.14.0');
  await factory.reloadReleases();
  for (const [index, name] of paths.entries()) {
    const again = await ask(running, `/image/${id}/v1.14.0/${name}`);
    t.is(again.status, 200, `${name}: ${again.body.toString()}`);
    t.is(again.headers['etag'], before[index]?.headers['etag'], name);
    t.true(again.body.equals(before[index]!.body), name);
  }
  const installer = await ask(running, tag);
  t.is(installer.status, 200);
  t.deepEqual(installer.body, before.at(-1)!.body);
  const [{ digest }] = JSON.parse(installer.body.toString()).manifests;
  const { layers } = JSON.parse((await ask(running, tag.replace('v1.14.0', digest))).body.toString());
  for (const layer of layers)
    t.is((await ask(running, `/v2/metal-installer/${id}/blobs/${layer.digest}`)).body.length, layer.size);
});

test('a release that is damaged keeps nobody from what others have, and says nothing of where it lies', async (t) => {
  const running = await runningFactory(t, { onWarning: () => {} });
  const id = await submit(running, '{}');
  const at = `/v2/metal-installer/${id}/manifests`;
  const older = await ask(running, `${at}/v1.14.0-alpha.0`);
  await flip(join(running.options.releases, 'v1.14.0/amd64/stub.efi'));
  const { digest } = JSON.parse(older.body.toString()).manifests[0];
  t.is((await ask(running, `${at}/${digest}`)).status, 200);
  const referrers = await ask(running, `${at.replace(/manifests$/, 'referrers')}/${digest}`);
  const [evidence] = JSON.parse(referrers.body.toString()).manifests;
  const said = await ask(running, `${at}/${evidence.digest}`);
  t.is(said.status, 200, said.body.toString());
  const [layer] = JSON.parse(said.body.toString()).layers;
  t.is((await ask(running, `${at.replace(/manifests$/, 'blobs')}/${layer.digest}`)).status, 200);
  for (const reference of ['v1.14.0', `sha256:${'0'.repeat(64)}`]) {
    const damaged = await ask(running, `${at}/${reference}`);
    t.is(damaged.status, 503);
    t.regex(damaged.body.toString(), /ERR_VIEW_CHANGED/);
    t.notRegex(damaged.body.toString(), /stub\.efi|releases\//);
  }
});

test('a directory of releases that can not be read leaves what was there', async (t) => {
  const said: string[] = [];
  const { factory, options } = await runningFactory(t, { onWarning: (line) => said.push(line) });
  await rename(options.releases, `${options.releases}.gone`);
  await factory.reloadReleases();
  t.deepEqual(factory.versions, ['v1.14.0-alpha.0', 'v1.14.0']);
  t.regex(said.join(), /^releases stay as they were: .*releases: ENOENT$/);
});

test('the directory of releases is looked at from time to time', async (t) => {
  t.timeout(30_000, 'nobody looks');
  const running = await runningFactory(t, { releaseRefreshMs: 20, onWarning: () => {} });
  await writeRelease(running.options.releases, 'v1.14.1');
  while (!running.factory.versions.includes('v1.14.1')) await ask(running, '/healthz');
  t.pass();
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
