import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loopDevice, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { emptiness } from '../../src/proof/emptiness.ts';
import * as filesystems from '../../src/filesystems/filesystems.ts';
import { mounts } from '../../src/mounts/mounts.ts';
import * as partitions from '../../src/partitions/partitions.ts';
import { Sysfs } from '../../src/facts/sysfs.ts';
import { kernelPartitions } from '../../src/facts/kernel-partition.ts';
import * as wipe from '../../src/wipe/wipes.ts';
import '../patient-proofs.ts';

const mib = 1 << 20;
const rooted = testWith(root, program('mkfs.ext4'));

const typeGuid = '0FC63DAF-8483-4772-8E79-3D69D8477DE4';

async function table(t: ExecutionContext, labels: readonly string[], sizeBytes = 40 * mib) {
  const disk = await loopDevice(t, { sizeBytes: 200 * mib });
  await partitions.create(disk.path);
  const made = [];
  for (const label of labels) {
    const partitionGuid = randomUUID();
    const options = {
      label,
      typeGuid,
      partitionGuid,
      sizeBytes: BigInt(sizeBytes),
      underConstruction: false,
    };
    made.push(await partitions.add(disk.path, options));
  }
  return { disk, made };
}

async function fill(path: string, sizeBytes: number): Promise<void> {
  const file = await open(path, 'r+');
  for (let at = 0; at < sizeBytes; at += mib) await file.write(randomBytes(mib), 0, mib, at);
  await file.close();
}

const numbers = (path: string): number[] =>
  kernelPartitions(new Sysfs(), path.replace('/dev/', '')).map(({ index }) => index);

for (const method of ['fast', 'zeroes'] as const) {
  rooted(`a disk with partitions is blank after a wipe of kind ${method}, for the kernel too`, async (t) => {
    const { disk, made } = await table(t, ['a', 'b']);
    for (const { devPath } of made) await filesystems.format(devPath, { type: 'ext4' });
    const progress: bigint[] = [];
    await wipe.content(disk.path, { method, onProgress: (done) => progress.push(done) });
    t.like(await emptiness(disk.path), { empty: true });
    t.deepEqual(numbers(disk.path), []);
    t.is(await partitions.read(disk.path), undefined);
    if (method === 'zeroes') t.is(progress.at(-1), 200n << 20n);
  });
}

rooted('zeroes leaves no byte of what was there', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 8 * mib });
  await fill(disk.path, 8 * mib);
  await wipe.content(disk.path, { method: 'zeroes' });
  t.true((await readFile(disk.path)).every((byte) => byte === 0));
});

rooted(
  'one partition is wiped and removed; its neighbours keep their numbers and bytes while they are used',
  async (t) => {
    const { disk, made } = await table(t, ['a', 'b', 'c']);
    const [first, second, third] = made;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    for (const { devPath } of made) await filesystems.format(devPath, { type: 'ext4' });
    const target = join(await temporaryDirectory(t), 'third');
    await mounts.mount({ source: third.devPath, target, type: 'ext4' });
    t.teardown(() => mounts.unmount(target));
    const before = await readFile(first.devPath);
    await wipe.content(second.devPath, { method: 'zeroes' });
    await partitions.remove(disk.path, second.partitionGuid);
    const after = await partitions.read(disk.path);
    t.deepEqual(
      after?.partitions.map(({ index, label, offset }) => [index, label, offset]),
      [first, third].map(({ index, label, offset }) => [index, label, offset]),
    );
    t.deepEqual(numbers(disk.path), [1, 3]);
    t.true(before.equals(await readFile(first.devPath)));
    await t.throwsAsync(partitions.remove(disk.path, second.partitionGuid), { code: 'ERR_BLOCK_NOT_FOUND' });
  },
);

rooted('what is mounted is neither wiped nor removed, and neither is its disk', async (t) => {
  const { disk, made } = await table(t, ['a']);
  const [partition] = made;
  assert.ok(partition !== undefined);
  await filesystems.format(partition.devPath, { type: 'ext4' });
  const target = join(await temporaryDirectory(t), 'target');
  await mounts.mount({ source: partition.devPath, target, type: 'ext4', options: { readOnly: true } });
  t.teardown(() => mounts.unmount(target));
  const before = await readFile(disk.file);
  const error = await t.throwsAsync(wipe.content(partition.devPath, { method: 'fast' }), {
    code: 'ERR_BLOCK_BUSY',
  });
  t.regex(error?.message ?? '', /it is mounted on .*target/);
  await t.throwsAsync(wipe.content(disk.path, { method: 'fast' }), { code: 'ERR_BLOCK_BUSY' });
  await t.throwsAsync(partitions.remove(disk.path, partition.partitionGuid), { code: 'ERR_BLOCK_BUSY' });
  t.true(before.equals(await readFile(disk.file)));
  t.deepEqual(numbers(disk.path), [1]);
});

rooted(
  'a partition that somebody reads keeps its disk from being wiped, and no other is forgotten',
  async (t) => {
    const { disk, made } = await table(t, ['a', 'b']);
    const [first, second] = made;
    assert.ok(first && second);
    await filesystems.format(first.devPath, { type: 'ext4' });
    {
      await using reader = await open(second.devPath);
      t.true(reader.fd > 0);
      await t.throwsAsync(wipe.content(disk.path, { method: 'fast' }), { code: 'ERR_BLOCK_BUSY' });
    }
    t.deepEqual(numbers(disk.path), [1, 2]);
    t.false((await emptiness(first.devPath)).empty);
  },
);

rooted('while a partition is zeroed others may change its disk', async (t) => {
  const { disk, made } = await table(t, ['a']);
  const [partition] = made;
  assert.ok(partition);
  const locked: boolean[] = [];
  const onProgress = (): void => {
    locked.push(spawnSync('flock', ['--nonblock', disk.path, 'true']).status !== 0);
  };
  await wipe.content(partition.devPath, { method: 'zeroes', onProgress });
  t.deepEqual(locked, [false]);
  t.true((await readFile(partition.devPath)).every((byte) => byte === 0));
});

rooted('an abort ends it, and what is left is nothing to anybody', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 600 * mib });
  await filesystems.format(disk.path, { type: 'ext4' });
  const stop = new AbortController();
  const progress: bigint[] = [];
  const onProgress = (done: bigint): void => {
    progress.push(done);
    stop.abort();
  };
  const wiping = wipe.content(disk.path, { method: 'zeroes', onProgress, signal: stop.signal });
  await t.throwsAsync(wiping, { name: 'AbortError' });
  t.is(progress.length, 1);
  t.like(await emptiness(disk.path, { wiped: true }), { empty: true });
});

rooted('a disk that another one has taken the name of is not wiped in its place', async (t) => {
  const { disk, made } = await table(t, ['a']);
  const [partition] = made;
  assert.ok(partition);
  const { devPath } = partition;
  await filesystems.format(devPath, { type: 'ext4' });
  const sequence = new Sysfs().uevent(`block/${disk.path.replace('/dev/', '')}`).get('DISKSEQ');
  assert.ok(sequence);
  const wanted = BigInt(sequence);
  for (const path of [disk.path, devPath]) {
    const other = wipe.content(path, { method: 'fast', sequence: wanted - 1n });
    await t.throwsAsync(other, { code: 'ERR_BLOCK_NOT_FOUND', message: /another one has its name/ });
  }
  t.false((await emptiness(devPath)).empty);
  await wipe.content(devPath, { method: 'fast', sequence: wanted });
  t.true((await emptiness(devPath)).empty);
});
