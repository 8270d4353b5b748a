import { open, readFile, writeFile } from 'node:fs/promises';
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

test('a META without a whole copy is an empty one that says so, and is ours again with the next write', async (t) => {
  const path = join(await temporaryDirectory(t), 'meta');
  await using file = await open(path, 'w+');
  await file.truncate(1 << 20);
  t.true((await Meta.open(path)).isBlank);
  const before = await Meta.open(path);
  await before.set(metaTag.machineUuid, Buffer.from('uuid'));
  t.false(before.isBlank);
  for (const offset of [0, 1 << 19]) await file.write(Buffer.alloc(40, 0xff), 0, 40, offset + 40);
  const torn = await Meta.open(path);
  t.deepEqual([torn.damage?.kind, torn.tags, torn.isBlank], ['torn', [], false]);
  await torn.set(metaTag.userReserved1, Buffer.from('one'));
  t.is(torn.damage, undefined);
  const again = await Meta.open(path);
  t.deepEqual([again.damage, again.tags], [undefined, [metaTag.userReserved1]]);
});

test("what another system has in META's place is left alone, and the node has no values", async (t) => {
  const path = join(await temporaryDirectory(t), 'meta');
  const foreign = Buffer.alloc(1 << 20, 0x5a);
  await writeFile(path, foreign);
  const meta = await Meta.open(path);
  t.deepEqual([meta.damage?.kind, meta.tags, meta.isBlank], ['foreign', [], false]);
  await t.throwsAsync(meta.set(metaTag.userReserved1, Buffer.from('one')), {
    code: 'ERR_STATE_DAMAGED',
    message: /another system/u,
  });
  await meta.rewrite();
  t.deepEqual(await readFile(path), foreign);
  await t.throwsAsync(Meta.open(join(path, 'none')), { code: 'ENOTDIR' });
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
