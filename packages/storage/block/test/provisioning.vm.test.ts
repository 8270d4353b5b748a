import { statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';

import {
  command,
  loopDevice,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
  virtualNode,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { emptiness } from '../src/proof/emptiness.ts';
import * as filesystems from '../src/filesystems/filesystems.ts';
import { mounts } from '../src/mounts/mounts.ts';
import * as partitions from '../src/partitions/partitions.ts';
import * as wipe from '../src/wipe/wipe.ts';
import './patient-proofs.ts';

const sectors = (mib: number): number => mib * 2048;

/** A mapping whose sectors from `badSector` on, `badSectors` of them, can't be read or written. */
async function withBadSectors(
  t: ExecutionContext,
  badSector: number,
  badSectors: number,
): Promise<{ path: string; below: string }> {
  const { path: below } = await loopDevice(t, { sizeBytes: 64 << 20 });
  const after = badSector + badSectors;
  const table = [
    ...(badSector === 0 ? [] : [`0 ${badSector} linear ${below} 0`]),
    `${badSector} ${badSectors} error`,
    ...(after === sectors(64) ? [] : [`${after} ${sectors(64) - after} linear ${below} ${after}`]),
  ];
  const name = `nodecore-bad-${badSector}`;
  await output(['dmsetup', 'create', name], { input: `${table.join('\n')}\n` });
  t.teardown(() => output(['dmsetup', 'remove', name]));
  return { path: `/dev/mapper/${name}`, below };
}

for (const [where, sector] of [
  ['at the very start', 0],
  ['inside the first MiB', 1000],
  ['at the very end', sectors(64) - 8],
] as const) {
  testWith(
    virtualNode,
    root,
    program('dmsetup'),
    program('mkfs.ext4'),
  )(`a device with unreadable sectors ${where} is not empty and is not formatted`, async (t) => {
    const { path, below } = await withBadSectors(t, sector, 8);
    const found = await emptiness(path);
    t.false(found.empty);
    t.regex(found.empty ? '' : found.reasons.join(), /EIO/);
    await t.throwsAsync(filesystems.format(path, { type: 'ext4' }), { code: 'ERR_BLOCK_NOT_EMPTY' });
    const file = await output(['cmp', '--bytes', String(64 << 20), below, '/dev/zero']);
    t.is(file, '', 'nothing was written');
  });
}

testWith(
  virtualNode,
  root,
  program('dmsetup'),
)('a mapping takes no partitions, and gets no table', async (t) => {
  const { path: below } = await loopDevice(t, { sizeBytes: 64 << 20 });
  await output(['dmsetup', 'create', 'nodecore-linear'], { input: `0 ${sectors(64)} linear ${below} 0\n` });
  t.teardown(() => output(['dmsetup', 'remove', 'nodecore-linear']));
  const path = '/dev/mapper/nodecore-linear';
  await t.throwsAsync(partitions.create(path), { code: 'ERR_BLOCK_FAILED', message: /takes no partitions/ });
  t.like(await emptiness(path), { empty: true });
  const found = await emptiness(below);
  t.regex(found.empty ? '' : found.reasons.join(), /dm-\d+ is stacked on it/);
});

for (const metadata of ['0.90', '1.0', '1.1', '1.2']) {
  testWith(
    virtualNode,
    root,
    program('mdadm'),
  )(`a member of a RAID with metadata ${metadata} is not empty until it is wiped`, async (t) => {
    await command(['modprobe', 'raid1']);
    const { path } = await loopDevice(t, { sizeBytes: 64 << 20 });
    const create = ['--create', '/dev/md42', '--run', '--force', '--level=1', '--raid-devices=1'];
    await output(['mdadm', ...create, `--metadata=${metadata}`, path]);
    const used = await emptiness(path);
    t.regex(used.empty ? '' : used.reasons.join(), /md\d+ is stacked on it/);
    await output(['mdadm', '--stop', '/dev/md42']);
    const found = await emptiness(path);
    t.regex(found.empty ? '' : found.reasons.join(), /linux_raid_member at byte/);
    await t.throwsAsync(filesystems.format(path, { type: 'ext4' }), { code: 'ERR_BLOCK_NOT_EMPTY' });
    await wipe.signatures(path);
    t.like(await emptiness(path), { empty: true });
  });
}

for (const type of ['xfs', 'ext4'] as const) {
  testWith(
    virtualNode,
    root,
    program(`mkfs.${type}`),
  )(`${type} made here can be mounted here, and grows while it is mounted`, async (t) => {
    const { path, file } = await loopDevice(t, { sizeBytes: 320 << 20 });
    await filesystems.format(path, { type });
    const target = join(await temporaryDirectory(t), 'target');
    const data = type === 'xfs' ? { data: { prjquota: true } as const } : {};
    await mounts.mount({ source: path, target, type, ...data });
    t.teardown(() => mounts.unmount(target));
    const before = await statfs(target);
    await truncate(file, 640 << 20);
    await output(['losetup', '--set-capacity', path]);
    await filesystems.grow(path, { type, target });
    t.true((await statfs(target)).blocks > before.blocks * 1.5);
  });
}
