import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { probe } from '@nodecore/block';
import { metaTag } from '@nodecore/meta';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { Meta } from '../src/persistence/meta.ts';

test('a value is there after the partition is opened again, and an equal one is not written', async (t) => {
  const path = join(await temporaryDirectory(t), 'meta');
  await using file = await open(path, 'w');
  await file.truncate(1 << 20);
  const meta = await Meta.open(path);
  t.is(meta.get(metaTag.machineUuid), undefined);
  await Promise.all([
    meta.set(metaTag.machineUuid, Buffer.from('uuid')),
    meta.set(metaTag.stateEncryption, Buffer.from('null')),
  ]);
  const again = await Meta.open(path);
  t.is(Buffer.from(again.get(metaTag.machineUuid) ?? []).toString(), 'uuid');
  t.is(Buffer.from(again.get(metaTag.stateEncryption) ?? []).toString(), 'null');
  const before = await readFile(path);
  await again.set(metaTag.machineUuid, Buffer.from('uuid'));
  t.deepEqual(await readFile(path), before);
  await again.set(metaTag.machineUuid, undefined);
  t.is((await Meta.open(path)).get(metaTag.machineUuid), undefined);
});

test('a value that the partition does not keep is an error, and not the value from then on', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const name of ['meta', 'lost']) {
    await using file = await open(join(directory, name), 'w');
    await file.truncate(1 << 20);
  }
  // What is written goes elsewhere, as with a disk that says yes and does nothing.
  const lying: typeof open = async (_path, flags) =>
    await open(join(directory, flags === 'r' ? 'meta' : 'lost'), flags);
  const meta = await Meta.open(join(directory, 'meta'), { open: lying });
  await t.throwsAsync(meta.set(metaTag.machineUuid, Buffer.from('uuid')), { code: 'ERR_STATE_DAMAGED' });
  t.is(meta.get(metaTag.machineUuid), undefined);
});

test('discovery knows what is written to META', async (t) => {
  const path = join(await temporaryDirectory(t), 'meta');
  await using file = await open(path, 'w');
  await file.truncate(1 << 20);
  t.is((await probe(path)).name, '');
  const meta = await Meta.open(path);
  for (const value of ['one', 'two']) {
    await meta.set(metaTag.userReserved1, Buffer.from(value));
    t.is((await probe(path)).name, 'meta');
  }
});
