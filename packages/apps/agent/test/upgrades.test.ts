import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { metaTag } from '@nodecore/meta';
import { codeOf } from '@nodecore/sys';
import test from 'ava';

import { pullInstaller } from '../src/upgrades/pull-installer.ts';
import type { UpgradeOrder } from '../src/upgrades/upgrade.ts';
import { firmwareWith } from './firmware.ts';
import { installerKey, serveInstaller } from './installer-registry.ts';

import { key, nodeWith, type Surroundings } from './upgrading-node.ts';

test('a release is written beside the one that runs, with three starts, and the record says what it is', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  const { reference, digest, uki } = await serveInstaller(t, { key });
  await node.upgrade(reference, { expectedDigest: digest });
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+3.efi']);
  t.deepEqual(await readFile(join(node.esp, 'nodeos-1.14.1-2+3.efi')), uki);
  t.is(await readFile(join(node.esp, 'nodeos-1.14.0-1.efi'), 'utf8'), 'image nodeos-1.14.0-1.efi');
  t.like(node.record(), {
    sequence: 2,
    entries: [{ imageVersion: '1.14.1', sequence: 2, sizeBytes: uki.length }],
  });
  t.deepEqual(
    [...new Set(node.events.map(({ phase }) => phase))],
    ['pull', 'verify', 'write', 'prove', 'switch'],
  );
  t.like(node.published.get('1.14.1-2'), {
    state: 'staged',
    triesLeft: 3,
    booted: false,
    version: 'v1.14.1',
  });
  t.like(node.published.get('1.14.0-1'), { state: 'good', booted: true });
  t.deepEqual(await readdir(node.directory), ['esp', 'meta'], 'nothing that was pulled stays');
  t.is(node.lifecycle.sequence, undefined);
  await node.upgrade(reference);
  t.true((await node.entries()).includes('nodeos-1.14.1-3+3.efi'), 'the same version again is another entry');
});

test('a release that comes in parts is the same file, and the record has the digest of all of it', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  const { reference, uki } = await serveInstaller(t, { key, inParts: true });
  await node.upgrade(reference);
  t.deepEqual(await readFile(join(node.esp, 'nodeos-1.14.1-2+3.efi')), uki);
  const sha256 = createHash('sha256').update(uki).digest('hex');
  t.like(node.record(), { entries: [{ sequence: 2, sha256, sizeBytes: uki.length }] });
});

const foreign = installerKey();
type Refusal = readonly [
  title: string,
  code: string,
  installer: Parameters<typeof serveInstaller>[1],
  around?: Surroundings,
  order?: Partial<UpgradeOrder>,
];
const refusals: readonly Refusal[] = [
  ['nobody has signed', 'ERR_UPGRADE_SIGNATURE', {}],
  ['somebody else has signed', 'ERR_UPGRADE_SIGNATURE', { key: foreign }],
  [
    'somebody else has signed, with force',
    'ERR_UPGRADE_SIGNATURE',
    {},
    { secureBoot: true },
    { force: true },
  ],
  [
    'is not what its manifest names',
    'ERR_UPGRADE_IMAGE',
    { key, change: (files) => files.set('install/nodeos.uki.efi', Buffer.from('another boot imagf')) },
  ],
  [
    'has a part that is not what its manifest names',
    'ERR_UPGRADE_IMAGE',
    {
      key,
      inParts: true,
      change: (files) => files.set('install/nodeos.uki.efi', Buffer.from('Another boot image')),
    },
  ],
  [
    'has not all of its parts',
    'ERR_UPGRADE_IMAGE',
    {
      key,
      inParts: true,
      change: (files) => files.set('install/nodeos.uki.efi', Buffer.from('another boot')),
    },
  ],
  [
    'has layers of other images',
    'ERR_UPGRADE_IMAGE',
    { key, inParts: true, mediaType: 'application/vnd.oci.image.layer.v1.tar' },
  ],
  [
    'has parts that are not as long as it is',
    'ERR_UPGRADE_IMAGE',
    {
      key,
      manifest: {
        files: { 'nodeos.uki.efi': { size: 18, parts: [{ size: 17, sha256: '0'.repeat(64) }] } },
      },
    },
  ],
  [
    'is longer than its manifest says',
    'ERR_UPGRADE_IMAGE',
    { key, change: (files) => files.set('install/nodeos.uki.efi', Buffer.alloc(4096)) },
  ],
  [
    'is cut off',
    'ERR_UPGRADE_IMAGE',
    { key, change: (files) => files.set('install/nodeos.uki.efi', Buffer.from('another boot')) },
  ],
  [
    'has a manifest that was changed behind its signature',
    'ERR_UPGRADE_SIGNATURE',
    {
      key,
      change: (files) =>
        files.set('install/manifest.json', Buffer.from(`${files.get('install/manifest.json')!.toString()} `)),
    },
  ],
  [
    'has no boot image',
    'ERR_UPGRADE_IMAGE',
    { key, change: (files) => files.delete('install/nodeos.uki.efi') },
  ],
  ['is for another architecture', 'ERR_UPGRADE_VERSION', { key, manifest: { arch: 'arm64' } }],
  ['can not be reached from here', 'ERR_UPGRADE_VERSION', { key, manifest: { minimumVersion: 'v1.14.1' } }],
  ['is lower than the one that runs', 'ERR_BOOT_DOWNGRADE', { key, version: 'v1.13.9' }, {}, { force: true }],
  ['is a pre-release of the one that runs', 'ERR_BOOT_DOWNGRADE', { key, version: 'v1.14.0-rc.1' }],
  ['has no room', 'ERR_BOOT_SPACE', { key }, { freeBytes: 3 }],
  [
    'has no room while it is proven',
    'ERR_UPGRADE_SPACE',
    { key },
    { pull: (options) => pullInstaller({ ...options, freeBytes: async () => 16 }) },
  ],
  [
    'would not be started by the firmware',
    'ERR_EFI_SIGNATURE',
    { key },
    {
      secureBoot: true,
      proveByFirmware: () =>
        Promise.reject(Object.assign(new Error('no certificate of db'), { code: 'ERR_EFI_SIGNATURE' })),
    },
  ],
  [
    'is another one than was expected',
    'ERR_UPGRADE_IMAGE',
    { key },
    {},
    { expectedDigest: `sha256:${'0'.repeat(64)}` },
  ],
];

for (const [title, code, installer, around, order] of refusals)
  test(`an installer image that ${title} changes nothing`, async (t) => {
    const node = await nodeWith(t, ['nodeos-1.14.0-1.efi'], around);
    const { reference } = await serveInstaller(t, installer);
    const error = await t.throwsAsync(node.upgrade(reference, order));
    t.is(codeOf(error), code, error?.message);
    t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi']);
    t.is(node.record(), null);
    t.deepEqual(await readdir(node.directory), ['esp', 'meta']);
    t.is(node.lifecycle.sequence, undefined, 'another one may begin');
  });

test('without Secure Boot somebody may insist on an unsigned image', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  const { reference } = await serveInstaller(t, {});
  await node.upgrade(reference, { force: true });
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+3.efi']);
});

test('a dry run proves everything and writes nothing', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-4.efi', 'nodeos-1.13.0-3.efi'], { freeBytes: 3 });
  const { reference } = await serveInstaller(t, { key });
  await node.upgrade(reference, { dryRun: true });
  t.is(node.events.at(-1)?.message, 'would write v1.14.1 as installation 5');
  t.deepEqual(await node.entries(), ['nodeos-1.13.0-3.efi', 'nodeos-1.14.0-4.efi']);
});

test('a dry run of what the boot menu would not start is refused as well', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.2-4.efi']);
  const { reference } = await serveInstaller(t, { key });
  await t.throwsAsync(node.upgrade(reference, { dryRun: true }), { message: /nodeos-1\.14\.2-4\.efi/u });
});

test('a host, and a second upgrade at a time, are refused before anything is pulled', async (t) => {
  const node = await nodeWith(t, ['other.efi']);
  const { reference } = await serveInstaller(t, { key });
  const host = await t.throwsAsync(node.upgrade(reference));
  t.is(host?.message, 'no entry of the boot menu runs: machine is not installed');
  await t.throwsAsync(node.upgrade(''), { message: /image of the installer is empty/u });
  t.deepEqual(node.events, []);
});

test('an upgrade that is written twice before the next boot leaves the only good entry', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  const [first, second] = [
    await serveInstaller(t, { key }),
    await serveInstaller(t, { key, version: 'v1.14.2' }),
  ];
  await node.upgrade(first.reference);
  await node.upgrade(second.reference);
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.2-3+3.efi']);
});

test('how far an upgrade is, and what became of it, is a resource', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  const { reference } = await serveInstaller(t, { key });
  await node.upgrade(reference);
  const states = node.released.map(({ state, phase }) => `${String(state)} ${String(phase)}`);
  t.deepEqual(
    [...new Set(states)],
    ['running pull', 'running verify', 'running write', 'running prove', 'running switch', 'done switch'],
  );
  t.like(node.released.at(-1), { version: 'v1.14.1', entry: 'nodeos-1.14.1-2+3.efi' });
  await t.throwsAsync(node.upgrade(reference, { expectedDigest: `sha256:${'0'.repeat(64)}` }));
  t.like(node.released.at(-1), { state: 'failed', phase: 'pull' });
  t.regex(String(node.released.at(-1)?.['message']), /\(ERR_[A-Z_]+\)$/u);
  await t.throwsAsync(node.upgrade(''));
  t.is(node.released.at(-1)?.['phase'], 'pull', 'what is refused before it began is no last one');
});

test('a boot record that can not be read is none, and keeps nobody from an upgrade', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-7.efi']);
  await node.meta.set(metaTag.bootRecord, Buffer.from('{"installs'));
  const { reference } = await serveInstaller(t, { key });
  await node.upgrade(reference);
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-7.efi', 'nodeos-1.14.1-8+3.efi']);
});

test('a META that does not take the record is told of, and has no upgrade fail that is written', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  node.meta.change = () => Promise.reject(Object.assign(new Error('full'), { code: 'ERR_META_TOO_LARGE' }));
  const { reference } = await serveInstaller(t, { key });
  await node.upgrade(reference);
  t.is(
    node.events.at(-1)?.message,
    'v1.14.1 is tried at the next boot; META does not take its record (ERR_META_TOO_LARGE): why it is left, should it be, is not kept',
  );
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+3.efi']);
});

test('an upgrade gives the firmware its boot option back, and goes through when the firmware refuses it', async (t) => {
  const firmware = await firmwareWith(t, [5]);
  const partition = {
    index: 1,
    partitionGuid: '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0',
    offset: 1n << 20n,
    size: 512n << 20n,
  };
  const tell = () => firmware.tell({ partition, sectorSize: 4096 }, 'present');
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi'], { tellFirmware: tell });
  const { reference } = await serveInstaller(t, { key });
  await node.upgrade(reference);
  t.deepEqual(await firmware.order(), [0, 5]);
  t.like((await firmware.option('Boot0000'))?.file?.partition, { startSector: 256n, sectors: 131_072n });
  t.is(node.events.at(-1)?.message, 'v1.14.1 is tried at the next boot');
  await firmware.break();
  await node.upgrade(reference);
  t.is(
    node.events.at(-1)?.message,
    'v1.14.1 is tried at the next boot; the firmware takes no boot option (ERR_EFI_FIRMWARE): it has to find the disk by itself',
  );
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-3+3.efi']);
});
