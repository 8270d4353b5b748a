import { randomUUID } from 'node:crypto';
import { open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import {
  command,
  type LoopDevice,
  leakedDescriptors,
  loopDevice,
  openDescriptors,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { withDiskLock } from '../../src/devices/disk-lock.ts';
import { emptiness } from '../../src/proof/emptiness.ts';
import { BlockError } from '../../src/errors.ts';
import * as filesystems from '../../src/filesystems/filesystems.ts';
import { mounts } from '../../src/mounts/mounts.ts';
import { list } from '../../src/discovery/list.ts';
import * as partitions from '../../src/partitions/partitions.ts';
import { signatures } from '../../src/wipe/wipe.ts';
import '../patient-proofs.ts';

const mib = 1n << 20n;
const linux = '0fc63daf-8483-4772-8e79-3d69d8477de4';

const add = (path: string, sizeBytes: bigint | 'rest') =>
  partitions.add(path, {
    label: 'u-data',
    typeGuid: linux,
    partitionGuid: randomUUID(),
    sizeBytes,
    underConstruction: true,
  });

/** Takes partitions from the kernel. Who looks at all disks of this computer has one open for a moment, and the kernel keeps it as long. */
async function forget(path: string, ...which: readonly string[]): Promise<void> {
  const argv = ['partx', '--delete', ...which, path] as const;
  for (let left = 1000; left > 0; left--) if ((await command(argv)).code === 0) return;
  await output(argv);
}

/** The kernel's view: partition number → start and size in bytes. */
async function kernelTable({ path }: LoopDevice, index: number): Promise<[bigint, bigint]> {
  const directory = `/sys/block/${basename(path)}/${basename(path)}p${index}`;
  const number = async (name: string) =>
    BigInt((await readFile(join(directory, name), 'utf8')).trim()) * 512n;
  return [await number('start'), await number('size')];
}

async function disk(t: ExecutionContext, sizeBytes = 64, sectorSize: 512 | 4096 = 512): Promise<LoopDevice> {
  const device = await loopDevice(t, { sizeBytes: sizeBytes << 20, sectorSize });
  await partitions.create(device.path);
  return device;
}

for (const sectorSize of [512, 4096] as const) {
  testWith(root, program('sgdisk'))(
    `with sectors of ${sectorSize} bytes the kernel knows each partition when its call returns`,
    async (t) => {
      const device = await disk(t, 64, sectorSize);
      for (const index of [1, 2, 3]) {
        const made = await add(device.path, 10n * mib);
        t.is(made.devPath, `${device.path}p${index}`);
        t.deepEqual(await kernelTable(device, index), [made.offset, made.size]);
        t.like(await emptiness(made.devPath), { empty: true });
        await using node = await open(made.devPath, 'r');
        t.true((await node.stat()).isBlockDevice());
      }
      t.regex(await output(['sgdisk', '--verify', device.path]), /No problems found/);
    },
  );
}

testWith(root, program('mkfs.ext4'))(
  'a busy partition in the middle is not disturbed by any change',
  async (t) => {
    const device = await disk(t, 256);
    await add(device.path, 10n * mib);
    const busy = await add(device.path, 40n * mib);
    const next = await add(device.path, 10n * mib);
    await filesystems.format(busy.devPath, { type: 'ext4' });
    const target = join(await temporaryDirectory(t), 'busy');
    await mounts.mount({ source: busy.devPath, target, type: 'ext4' });
    t.teardown(() => mounts.unmount(target));
    await using file = await open(join(target, 'file'), 'w');

    await partitions.setUnderConstruction(device.path, busy.partitionGuid, false);
    t.is((await partitions.grow(device.path, next.partitionGuid, 20n * mib)).size, 20n * mib);
    await add(device.path, 10n * mib);
    await file.write('still there');
    await file.sync();
    t.is(await readFile(join(target, 'file'), 'utf8'), 'still there');
    t.deepEqual(await kernelTable(device, 2), [busy.offset, busy.size]);
    t.deepEqual(await kernelTable(device, 3), [next.offset, 20n * mib]);
  },
);

testWith(root)('old data in the new range is gone before the partition appears', async (t) => {
  const device = await disk(t);
  await using behind = await open(device.path, 'r+');
  await behind.write(Buffer.alloc(1 << 20, 'old'), 0, 1 << 20, 1 << 20);
  await behind.write(Buffer.alloc(1 << 20, 'old'), 0, 1 << 20, 10 << 20);
  await behind.sync();
  const made = await add(device.path, 10n * mib);
  t.like(await emptiness(made.devPath), { empty: true });
});

testWith(root)('a partition whose range can not be made blank does not come to be', async (t) => {
  // Provisioned thinly: the tables are there, and there is no room for anything else.
  const pool = await temporaryDirectory(t);
  await mounts.mount({ source: 'tmpfs', target: pool, type: 'tmpfs', data: { size: '4m' } });
  t.teardown(() => mounts.unmount(pool));
  const file = join(pool, 'disk');
  await writeFile(file, '');
  await truncate(file, 64 << 20);
  const device = await loopDevice(t, { file });
  await partitions.create(device.path);
  await output(['sync', device.path]);
  await t.throwsAsync(writeFile(join(pool, 'rest'), Buffer.alloc(8 << 20)), { code: 'ENOSPC' });
  await t.throwsAsync(add(device.path, 10n * mib), { code: 'ERR_BLOCK_FAILED' });
  t.deepEqual((await partitions.read(device.path))?.partitions, [], 'what is old there would come to light');
  await t.throwsAsync(kernelTable(device, 1), { code: 'ENOENT' });
  await rm(join(pool, 'rest'));
  const made = await add(device.path, 10n * mib);
  t.deepEqual(await kernelTable(device, 1), [made.offset, made.size]);
});

testWith(root, program('partx'))('a partition that only the kernel has is in the way', async (t) => {
  const device = await disk(t);
  const made = await add(device.path, 10n * mib);
  // The table loses the partition, the kernel keeps it: somebody may be using it.
  await output(['sfdisk', '--delete', '--no-reread', '--no-tell-kernel', device.path, '1']);
  await t.throwsAsync(add(device.path, 20n * mib), { code: 'ERR_BLOCK_BUSY' });
  await forget(device.path, '--nr', '1');
  t.is((await add(device.path, 20n * mib)).offset, made.offset);
});

testWith(root, program('partx'))('a partition that only the table has is announced', async (t) => {
  const device = await disk(t);
  const made = await add(device.path, 10n * mib);
  await forget(device.path, '--nr', '1');
  t.deepEqual(await partitions.announce(device.path), [made]);
  t.deepEqual(await kernelTable(device, 1), [made.offset, made.size]);
  t.deepEqual(await partitions.announce(device.path), [made], 'twice is fine');
});

testWith(root, program('partx'))('one partition is announced, as large as the table has it', async (t) => {
  const device = await disk(t);
  const [first, second] = [await add(device.path, 10n * mib), await add(device.path, 20n * mib)];
  // What a change that was killed between table and kernel leaves; and another entry, which is none of anybody's business here.
  await forget(device.path);
  const place = (sectors: number): readonly string[] => [`${second.offset / 512n}`, `${sectors}`];
  await output(['addpart', device.path, '2', ...place(2048)]);
  await output(['addpart', device.path, '1', `${first.offset / 512n + 2048n}`, '2048']);
  const options = { partitionGuid: second.partitionGuid };
  t.deepEqual(await partitions.announce(device.path, options), [second]);
  t.deepEqual(await kernelTable(device, 2), [second.offset, second.size]);
  const wrong = { partitionGuid: first.partitionGuid };
  await t.throwsAsync(partitions.announce(device.path, wrong), { code: 'ERR_BLOCK_BUSY' });
  await t.throwsAsync(partitions.announce(device.path, { partitionGuid: 'none' }), {
    code: 'ERR_BLOCK_NOT_FOUND',
  });
});

testWith(root)('nothing is written to a disk that has the name of the one that was meant', async (t) => {
  const device = await loopDevice(t, { sizeBytes: 64 << 20 });
  const { disks } = await list();
  const sequence = (disks.find(({ devPath }) => devPath === device.path)?.sequence ?? 0n) + 1n;
  const refused = { code: 'ERR_BLOCK_NOT_FOUND', message: /another one has its name/ };
  await t.throwsAsync(partitions.create(device.path, { sequence }), refused);
  t.like(await emptiness(device.path), { empty: true });
  await partitions.create(device.path, { sequence: sequence - 1n });
  const options = { label: 'a', typeGuid: linux, partitionGuid: randomUUID(), underConstruction: false };
  await t.throwsAsync(partitions.add(device.path, { ...options, sizeBytes: mib, sequence }), refused);
  const made = await partitions.add(device.path, {
    ...options,
    sizeBytes: 4n * mib,
    sequence: sequence - 1n,
  });
  await writeFile(made.devPath, 'theirs');
  await t.throwsAsync(signatures(made.devPath, { sequence }), refused);
  t.is((await readFile(made.devPath)).toString('utf8', 0, 6), 'theirs');
  await signatures(made.devPath, { sequence: sequence - 1n });
  t.like(await emptiness(made.devPath), { empty: true });
});

testWith(root)('a table goes on a disk, not into a partition', async (t) => {
  const device = await disk(t);
  const made = await add(device.path, 10n * mib);
  await t.throwsAsync(partitions.create(made.devPath), { message: /is a partition/ });
  t.like(await emptiness(made.devPath), { empty: true });
});

testWith(root, program('flock'))('a disk that another process has locked is left alone', async (t) => {
  const device = await disk(t);
  const ready = join(await temporaryDirectory(t), 'ready');
  await output(['mkfifo', ready]);
  const other = output(['flock', device.path, 'sh', '-c', `echo locked > ${ready}; cat ${ready}`]);
  t.is(await readFile(ready, 'utf8'), 'locked\n');
  const change = withDiskLock(device.path, async () => t.fail(), { timeoutMs: 50 });
  const error = await t.throwsAsync<BlockError>(change, { code: 'ERR_BLOCK_BUSY' });
  t.is(error.errno, 'EAGAIN');
  await using fifo = await open(ready, 'w');
  await fifo.close();
  await other;
  t.is(await withDiskLock(device.path, async () => 'ours'), 'ours');
});

testWith(root)('every descriptor is closed after success and after failure', async (t) => {
  const device = await loopDevice(t, { sizeBytes: 64 << 20 });
  await partitions.create(device.path);
  const before = openDescriptors();
  await add(device.path, 10n * mib);
  await partitions.read(device.path);
  await t.throwsAsync(partitions.create(device.path), { code: 'ERR_BLOCK_NOT_EMPTY' });
  await t.throwsAsync(add(device.path, 100n * mib), { code: 'ERR_BLOCK_NO_SPACE' });
  t.deepEqual(leakedDescriptors(before), []);
});
