/// <reference lib="esnext.disposable" />
import { randomBytes } from 'node:crypto';
import { open as openFile, truncate } from 'node:fs/promises';

import * as luks from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { loopDevice, output, root, testWith, virtualNode } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { cheap, cryptsetup } from './image.ts';
import { copyBytes, reseal } from './raw-header.ts';

const test = testWith(virtualNode, root);
const sizeBytes = 24 << 20;
const dataOffset = 16 << 20;

type Scene = { readonly device: string; readonly file: string; readonly key: Secret; readonly name: string };

async function formatted(t: ExecutionContext, options: Partial<luks.FormatOptions> = {}): Promise<Scene> {
  const { path: device, file } = await loopDevice(t, { sizeBytes });
  const key = Secret.random(32);
  t.teardown(() => key[Symbol.dispose]());
  await luks.format(device, { key, pbkdf: cheap, ...options });
  const name = `luks-test-${randomBytes(4).toString('hex')}`;
  t.teardown(() => luks.close(name));
  return { device, file, key, name };
}

async function mappedBytes(name: string): Promise<number> {
  return Number(await output(['blockdev', '--getsize64', `/dev/mapper/${name}`]));
}

test('a mapping follows a device that has grown, and keeps its data', async (t) => {
  const { device, file, key, name } = await formatted(t, { sectorSize: 4096 });
  await using volume = await luks.open(device, { name, keys: [{ key }], allowDiscards: true });
  const data = randomBytes(64 << 10);
  {
    await using handle = await openFile(volume.path, 'r+');
    await handle.write(data, 0, data.length, 0);
    await handle.sync();
  }
  t.is(await mappedBytes(name), sizeBytes - dataOffset);
  await truncate(file, sizeBytes + (8 << 20));
  await output(['losetup', '--set-capacity', device]);
  t.is(await mappedBytes(name), sizeBytes - dataOffset);
  await luks.resize(name);
  t.is(await mappedBytes(name), sizeBytes + (8 << 20) - dataOffset);
  t.deepEqual((await luks.status(name))?.flags, ['allow_discards']);
  await using handle = await openFile(volume.path, 'r');
  const back = Buffer.alloc(data.length);
  await handle.read(back, 0, back.length, 0);
  t.true(back.equals(data));
});

test('a mapping takes a size that is named, and refuses one that is none', async (t) => {
  const { device, key, name } = await formatted(t, { sectorSize: 4096 });
  await using _ = await luks.open(device, { name, keys: [{ key }] });
  await luks.resize(name, { sizeBytes: 1n << 20n });
  t.is(await mappedBytes(name), 1 << 20);
  await luks.resize(name);
  t.is(await mappedBytes(name), sizeBytes - dataOffset);
  for (const size of [0n, -512n, 100n, 512n, 1n << 40n]) {
    await t.throwsAsync(
      luks.resize(name, { sizeBytes: size }),
      { instanceOf: luks.LuksError, code: 'ERR_LUKS_UNSUPPORTED' },
      String(size),
    );
  }
  t.is(await mappedBytes(name), sizeBytes - dataOffset);
  await t.throwsAsync(luks.resize('luks-test-nothing'), { code: 'ERR_LUKS_NOT_FOUND' });
});

test('a header other than expected maps nothing', async (t) => {
  const { device, key, name } = await formatted(t, { label: 'u-data' });
  const refused = { instanceOf: luks.LuksError, code: 'ERR_LUKS_MISMATCH' };
  const keys = [{ key }];
  await t.throwsAsync(luks.open(device, { name, keys, expect: { label: 'u-other' } }), refused);
  await t.throwsAsync(luks.open(device, { name, keys, expect: { keySizeBits: 256 } }), refused);
  t.is(await luks.status(name), undefined);
  await using volume = await luks.open(device, { name, keys, expect: { label: 'u-data', keySizeBits: 512 } });
  t.is(volume.keyslot, 0);
});

test('a header that was swapped for one with a null cipher maps nothing', async (t) => {
  const { device, key, name } = await formatted(t);
  await reseal(device, [0, copyBytes], (json) => json.replaceAll('aes-xts-plain64', 'cipher_null-ecb'));
  await t.throwsAsync(luks.open(device, { name, keys: [{ key }] }), { code: 'ERR_LUKS_UNSUPPORTED' });
  t.is(await luks.status(name), undefined);
});

test('the header of an open volume is changed, backed up and restored', async (t) => {
  const { device, key, name } = await formatted(t);
  using second = Secret.random(32);
  await using _ = await luks.open(device, { name, keys: [{ key }] });
  const { bytes } = await luks.header.backup(device);
  await luks.keyslots.change(device, { existing: key, key: second, pbkdf: cheap });
  await luks.tokens.set(device, { token: { type: 'x', keyslots: ['0'] } });
  t.is(await luks.testKey(device, { key: second }), 0);
  await luks.header.restore(device, bytes, { key: { key } });
  t.is(await luks.testKey(device, { key }), 0);
  t.deepEqual(await luks.tokens.list(device), []);
  t.is((await luks.status(name))?.device, device);
});

test('every option that a header keeps reaches the kernel', async (t) => {
  const { device, key, name } = await formatted(t);
  const all: readonly luks.PersistentFlag[] = [
    'allow_discards',
    'no_read_workqueue',
    'no_write_workqueue',
    'same_cpu_crypt',
    'submit_from_crypt_cpus',
  ];
  await luks.persistentFlags.set(device, all);
  await using _ = await luks.open(device, { name, keys: [{ key }] });
  t.deepEqual((await luks.status(name))?.flags, all);
  const table = await output(['dmsetup', 'table', name]);
  for (const flag of all) t.true(table.includes(flag), table);
});

/** Neither reads nor writes of these bytes pass. */
async function badSectors(t: ExecutionContext, device: string, from: number, to: number): Promise<string> {
  return await mapped(t, device, from, to, (first, count) => `${first} ${count} error`);
}

/** Reads pass, writes of these bytes fail: what a disk with a bad sector does. */
async function brokenWrites(t: ExecutionContext, device: string, from: number, to: number): Promise<string> {
  return await mapped(
    t,
    device,
    from,
    to,
    (first, count) => `${first} ${count} flakey ${device} ${first} 0 3600 1 error_writes`,
  );
}

/** The device as it is, but for one stretch, in bytes. */
async function mapped(
  t: ExecutionContext,
  device: string,
  from: number,
  to: number,
  target: (firstSector: number, sectors: number) => string,
): Promise<string> {
  const name = `luks-test-fault-${randomBytes(4).toString('hex')}`;
  const [first, last, end] = [from / 512, to / 512, sizeBytes / 512];
  const table = [
    ...(first > 0 ? [`0 ${first} linear ${device} 0`] : []),
    target(first, last - first),
    `${last} ${end - last} linear ${device} ${last}`,
  ];
  await output(['dmsetup', 'create', name], { input: `${table.join('\n')}\n` });
  t.teardown(() => output(['dmsetup', 'remove', '--retry', name]));
  return `/dev/mapper/${name}`;
}

for (const [title, from] of [
  ['first', 0],
  ['second', copyBytes],
] as const) {
  test(`a disk that refuses to write the ${title} copy of a header keeps a valid one`, async (t) => {
    const { device, key } = await formatted(t);
    using second = Secret.random(32);
    const { bytes } = await luks.header.backup(device);
    await luks.keyslots.change(device, { existing: key, key: second, pbkdf: cheap });
    const path = await brokenWrites(t, device, from, from + copyBytes);
    const token = { type: 'x', keyslots: [] };
    await t.throwsAsync(luks.tokens.set(path, { token }), {
      instanceOf: luks.LuksError,
      code: 'ERR_LUKS_FAILED',
    });
    t.is(await luks.testKey(device, { key: second }), 0);
    await t.throwsAsync(luks.header.restore(path, bytes), {
      instanceOf: luks.LuksError,
      code: 'ERR_LUKS_FAILED',
    });
    const opens = await Promise.allSettled([
      luks.testKey(device, { key: second }),
      luks.testKey(device, { key }),
    ]);
    t.true(opens.some(({ status }) => status === 'fulfilled'));
    t.not((await luks.header.check(device)).verdict, 'damaged');
    await luks.header.repair(device);
    t.is((await luks.header.check(device)).verdict, 'consistent');
  });
}

test('a disk that refuses to write a keyslot keeps the others', async (t) => {
  const { device, key } = await formatted(t);
  using second = Secret.random(32);
  const path = await brokenWrites(t, device, 32_768 + 258_048, dataOffset);
  await t.throwsAsync(luks.keyslots.add(path, { existing: key, key: second, pbkdf: cheap }), {
    instanceOf: luks.LuksError,
    code: 'ERR_LUKS_FAILED',
  });
  t.is((await luks.header.check(device)).verdict, 'consistent');
  t.deepEqual(
    (await luks.keyslots.list(device)).map(({ slot }) => slot),
    [0],
  );
  t.is(await luks.testKey(device, { key }), 0);
});

test('the program opens a volume that we restored', async (t) => {
  const { device, key, name } = await formatted(t);
  const { bytes } = await luks.header.backup(device);
  await luks.keyslots.remove(device, { slot: 0, force: true });
  await luks.header.restore(device, bytes);
  t.is((await cryptsetup(['open', device, name, '--key-file', '-'], key)).code, 0);
});

test('a keyslot on bad sectors locks nobody out who has the key of another', async (t) => {
  const { device, key, name } = await formatted(t);
  using second = Secret.random(32);
  t.is(await luks.keyslots.add(device, { existing: key, key: second, pbkdf: cheap }), 1);
  const path = await badSectors(t, device, 32_768, 32_768 + 258_048);
  await t.throwsAsync(luks.testKey(path, { key }), {
    instanceOf: luks.LuksError,
    code: 'ERR_LUKS_FAILED',
    message: /EIO/,
  });
  t.is(await luks.testKey(path, { key: second }), 1);
  const volume = await luks.open(path, { name, keys: [{ key, slot: 0 }, { key: second }] });
  t.is(volume.keyslot, 1);
  await volume.close();
});
