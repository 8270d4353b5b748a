import { lstat, mkdir, open, rm, symlink } from 'node:fs/promises';

import {
  command,
  leakedDescriptors,
  loopDevice,
  openDescriptors,
  output,
  program,
  root,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import {
  type DiscoveredVolume,
  emptiness,
  type Inventory,
  type InventoryWatch,
  list,
  watch,
} from '../../src/index.ts';
import { Scanner } from '../../src/discovery/scanner.ts';
import { blkidVerdict, ourVerdict } from './blkid-program.ts';
import { otherFilesystems } from './filesystem-makers.ts';
import { makers, raidAtEnd, raidAtStart, sfdisk, writeAt } from '../contents.ts';

const tools = [
  'blkid',
  'losetup',
  'partx',
  'sfdisk',
  'cryptsetup',
  'mkfs.xfs',
  'mkfs.ext4',
  'mkfs.vfat',
  'mkswap',
];
const rooted = testWith(root, ...tools.map(program));

function volumeOf({ volumes }: Inventory, path: string): DiscoveredVolume | undefined {
  return volumes.find(({ devPath }) => devPath === path);
}

/** Every volume of `inventory` that lies on `paths`, ours beside the program's verdict. */
async function compare(t: ExecutionContext, inventory: Inventory, paths: readonly string[]): Promise<void> {
  const volumes = inventory.volumes.filter(({ devPath, parentDevPath }) =>
    paths.some((path) => devPath === path || parentDevPath === path),
  );
  t.true(volumes.length >= paths.length);
  for (const volume of volumes) {
    t.deepEqual(ourVerdict(volume), await blkidVerdict(volume.devPath), volume.devPath);
  }
}

/** Makes the kernel's partitions from the table; kernels without a parser for it need this. */
async function addPartitions(t: ExecutionContext, path: string): Promise<void> {
  await output(['partx', '--update', path]);
  t.teardown(() => command(['partx', '--delete', path]));
}

for (const { name, make } of makers) {
  rooted(`${name} on a disk and in a partition is what blkid says, again and again`, async (t) => {
    const disk = await loopDevice(t, { sizeBytes: 320 << 20 });
    const table = await loopDevice(t, { sizeBytes: 330 << 20 });
    await sfdisk(table.path, 'label: gpt\nsize=310M, name="the first"\n');
    await addPartitions(t, table.path);
    await make(disk.path);
    await make(`${table.path}p1`);
    using scanner = new Scanner();
    const first = await scanner.scan();
    t.is(volumeOf(first, disk.path)?.name, name);
    t.is(volumeOf(first, `${table.path}p1`)?.name, name);
    await compare(t, first, [disk.path, table.path]);
    const second = await scanner.scan();
    for (const path of [disk.path, table.path, `${table.path}p1`]) {
      t.deepEqual(volumeOf(second, path), volumeOf(first, path));
    }
  });
}

rooted('several contents at once, odd places and tiny disks are what blkid says', async (t) => {
  const both = await loopDevice(t, { sizeBytes: 64 << 20 });
  await makers.find(({ name }) => name === 'ext4')?.make(both.path);
  await makers.find(({ name }) => name === 'squashfs')?.make(both.path);
  const hybrid = await loopDevice(t, { sizeBytes: 64 << 20 });
  await makers.find(({ name }) => name === 'gpt')?.make(hybrid.path);
  await makers.find(({ name }) => name === 'iso9660')?.make(hybrid.path);
  const early = await loopDevice(t, { sizeBytes: 64 << 20 });
  await raidAtStart(early.path);
  const late = await loopDevice(t, { sizeBytes: 64 << 20 });
  await raidAtEnd(late.path, 64n << 20n);
  const tiny = await loopDevice(t, { sizeBytes: 8192 });
  const floppy = await loopDevice(t, { sizeBytes: 1440 << 10 });
  await makers.find(({ name }) => name === 'vfat')?.make(floppy.path);
  const sectors = await loopDevice(t, { sizeBytes: 64 << 20, sectorSize: 4096 });
  await makers.find(({ name }) => name === 'gpt')?.make(sectors.path);
  const paths = [both, hybrid, early, late, tiny, floppy, sectors].map(({ path }) => path);
  const inventory = await list();
  await compare(t, inventory, paths);
  t.is(volumeOf(inventory, both.path)?.name, 'ambiguous');
  t.deepEqual(
    volumeOf(inventory, hybrid.path)
      ?.signatures.map(({ type }) => type)
      .sort(),
    ['gpt', 'iso9660'],
  );
  t.is(volumeOf(inventory, sectors.path)?.sectorSize, 4096);
});

rooted('a change that only libblkid can see is seen by the next scan', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 128 << 20 });
  using scanner = new Scanner();
  t.is(volumeOf(await scanner.scan(), disk.path)?.name, '');
  for (const name of ['swap', 'lvm2-pv', 'ext4', 'linux_raid_member', 'gpt']) {
    await makers.find((maker) => maker.name === name)?.make(disk.path);
    const inventory = await scanner.scan();
    await compare(t, inventory, [disk.path]);
    await using file = await open(disk.path, 'r+');
    await file.write(Buffer.alloc(2 << 20), 0, 2 << 20, 0);
    await file.write(Buffer.alloc(2 << 20), 0, 2 << 20, (128 << 20) - (2 << 20));
  }
  t.is(volumeOf(await scanner.scan(), disk.path)?.name, '');
});

rooted('a change behind the kernel, in the file of a loop device, is seen by the next scan', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 128 << 20 });
  using scanner = new Scanner();
  await scanner.scan();
  await makers.find(({ name }) => name === 'swap')?.make(disk.path);
  t.is(volumeOf(await scanner.scan(), disk.path)?.name, 'swap');
  await writeAt(disk.file, 0n, new Uint8Array(4096));
  t.is(volumeOf(await scanner.scan(), disk.path)?.name, '');
});

rooted('a disk that another process holds open and writes is judged anew each time', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 64 << 20 });
  await using writer = await open(disk.path, 'r+');
  using scanner = new Scanner();
  await scanner.scan();
  const image = Buffer.alloc(4096);
  image.write('SWAPSPACE2', 4086);
  image.writeUInt32LE(1, 1024);
  image.writeUInt32LE(1023, 1028);
  await writer.write(image, 0, 4096, 0); // stays in the page cache: no fsync, no close
  t.is(volumeOf(await scanner.scan(), disk.path)?.name, 'swap');
});

rooted('partitions have the kernel’s place and the table’s names', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 64 << 20 });
  await sfdisk(disk.path, 'label: gpt\nstart=2048, size=8M, name=one\nstart=40960, size=16M, name=two\n');
  await addPartitions(t, disk.path);
  const { volumes } = await list();
  const id = disk.path.replace('/dev/', '');
  t.like(
    volumes.find((volume) => volume.id === `${id}p2`),
    {
      type: 'partition',
      devPath: `${disk.path}p2`,
      devicePath: `/sys/devices/virtual/block/${id}/${id}p2`,
      parent: id,
      parentDevPath: disk.path,
      offset: 20n << 20n,
      size: 16n << 20n,
      partitionLabel: 'two',
      partitionIndex: 2,
      name: '',
    },
  );
  // The table moves a partition and the kernel does not know yet: the names would be another's.
  await sfdisk(disk.path, 'label: gpt\nstart=2048, size=8M, name=one\nstart=81920, size=16M, name=other\n');
  const later = await list();
  t.like(
    later.volumes.find((volume) => volume.id === `${id}p2`),
    { offset: 20n << 20n, partitionLabel: '', partitionUuid: '' },
  );
});

rooted('listing and watching leave no descriptor', async (t) => {
  await loopDevice(t, { sizeBytes: 1 << 20 });
  await list();
  const before = openDescriptors();
  await list();
  const watching = watch();
  await watching.next();
  await watching.return?.();
  // Threads that read pages end on their own, a moment after their reader.
  const deadline = performance.now() + 10_000;
  while (leakedDescriptors(before).length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.deepEqual(leakedDescriptors(before), []);
});

/** The next inventory for which `wanted` holds. */
async function until(
  watching: AsyncIterator<Inventory>,
  wanted: (inventory: Inventory) => boolean,
): Promise<Inventory> {
  for (;;) {
    const { value, done } = await watching.next();
    if (done === true) throw new Error('the watch ended');
    if (wanted(value)) return value;
  }
}

/** The beginning ends: everything that was announced is in. */
async function untilSettled(watching: InventoryWatch): Promise<void> {
  while (!watching.settled) await watching.next();
}

rooted('a watch sees a disk come, get content and partitions, lose them, and go', async (t) => {
  const watching = watch();
  t.teardown(() => watching.return?.());
  t.false(watching.settled);
  await untilSettled(watching);

  const disk = await loopDevice(t, { sizeBytes: 64 << 20 });
  await until(watching, (inventory) => volumeOf(inventory, disk.path)?.name === '');

  await output(['mkfs.ext4', '-q', disk.path]); // no uevent: only its close tells
  await until(watching, (inventory) => volumeOf(inventory, disk.path)?.name === 'ext4');

  await writeAt(disk.path, 0n, new Uint8Array(4096));
  await sfdisk(disk.path, 'label: gpt\nsize=8M, name=one\n');
  await output(['partx', '--update', disk.path]);
  await until(watching, (inventory) => volumeOf(inventory, `${disk.path}p1`)?.partitionLabel === 'one');

  await output(['mkswap', '-q', `${disk.path}p1`]);
  await until(watching, (inventory) => volumeOf(inventory, `${disk.path}p1`)?.name === 'swap');

  await output(['partx', '--delete', disk.path]);
  await until(watching, (inventory) => volumeOf(inventory, `${disk.path}p1`) === undefined);

  await disk.detach();
  const last = await until(watching, (inventory) => volumeOf(inventory, disk.path) === undefined);
  t.false(last.disks.some(({ devPath }) => devPath === disk.path));
});

rooted('links below /dev/disk are followed as they come and go, in new directories too', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 64 << 20 });
  await sfdisk(disk.path, 'label: gpt\nsize=8M, name=one\n');
  await addPartitions(t, disk.path);
  const directory = `/dev/disk/by-nodecore-${process.pid}`;
  const former = await lstat('/dev/disk').catch(() => undefined);
  t.teardown(() => rm(former === undefined ? '/dev/disk' : directory, { recursive: true, force: true }));
  const watching = watch();
  t.teardown(() => watching.return?.());
  await untilSettled(watching);
  const linksOf = (inventory: Inventory, path: string): readonly string[] | undefined =>
    volumeOf(inventory, path)?.symlinks.filter((link) => link.startsWith(directory));

  await mkdir(directory, { recursive: true });
  await symlink(`../..${disk.path.slice('/dev'.length)}`, `${directory}/whole`);
  await until(watching, (inventory) => linksOf(inventory, disk.path)?.[0] === `${directory}/whole`);
  await symlink(`../..${disk.path.slice('/dev'.length)}p1`, `${directory}/part`);
  const both = await until(watching, (inventory) => linksOf(inventory, `${disk.path}p1`)?.length === 1);
  t.is(
    both.disks.find(({ devPath }) => devPath === disk.path)?.symlinks.includes(`${directory}/whole`),
    true,
  );
  await rm(`${directory}/whole`);
  await until(watching, (inventory) => linksOf(inventory, disk.path)?.length === 0);
});

rooted('a watch that nobody reads gathers changes, and yields the newest state once', async (t) => {
  const watching = watch();
  t.teardown(() => watching.return?.());
  await watching.next();
  const disk = await loopDevice(t, { sizeBytes: 64 << 20 });
  await output(['mkfs.ext4', '-q', disk.path]);
  await output(['mkswap', '-q', disk.path]);
  const { value } = await watching.next();
  t.is(volumeOf(value as Inventory, disk.path)?.name, 'swap');
});

rooted('a watch ends when it is returned or aborted, even while it waits', async (t) => {
  const returned = watch();
  await returned.next();
  const waiting = returned.next();
  await returned.return?.();
  t.true((await waiting).done);

  const controller = new AbortController();
  const aborted = watch({ signal: controller.signal });
  await aborted.next();
  const rejected = t.throwsAsync(aborted.next());
  const reason = new Error('stop');
  controller.abort(reason);
  t.is(await rejected, reason);
});

testWith(
  root,
  program('blkid'),
  program('losetup'),
  ...otherFilesystems.map((maker) => program(maker.program)),
)('every other filesystem that Debian can make is what blkid says, and nothing of it is blank', async (t) => {
  const disks = new Map<string, string>();
  for (const { name, make } of otherFilesystems) {
    const { path } = await loopDevice(t, { sizeBytes: 160 << 20 });
    await make(path);
    disks.set(name, path);
  }
  const inventory = await list();
  await compare(t, inventory, [...disks.values()]);
  for (const [name, path] of disks) {
    t.is(volumeOf(inventory, path)?.name, name);
    t.false((await emptiness(path)).empty, name);
  }
});
