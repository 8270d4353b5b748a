import { createHash } from 'node:crypto';
import { mkdir, open, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { command, loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { dataExtents } from '../../src/proof/data-extents.ts';
import { DeviceFile } from '../../src/devices/device-file.ts';
import { emptiness } from '../../src/proof/emptiness.ts';
import { BlockError } from '../../src/errors.ts';
import { isZero } from '../../src/content/gpt-header.ts';
import * as partitions from '../../src/partitions/partitions.ts';
import { chunks } from '../../src/proof/windows.ts';
import * as wipe from '../../src/wipe/wipes.ts';
import { writeAt } from '../contents.ts';
import '../patient-proofs.ts';

/**
 * What is left of a disk whose first sectors somebody has zeroed. Sizes are those of small disks that people have: on them
 * most of the places that are looked at are behind what the tools write, so that each has to be the right one.
 */
type Remains = {
  readonly what: string;
  readonly programs: readonly string[];
  readonly make: (device: string) => Promise<unknown>;
  /** What is said of it. */
  readonly reason: RegExp;
};

const mib = 1 << 20;
const gib = 1 << 30;

const zero = (device: string, count: number, seek = 0): Promise<string> =>
  output(['dd', 'if=/dev/zero', `of=${device}`, 'bs=1M', `count=${count}`, `seek=${seek}`, ...quiet]);
const quiet = ['conv=notrunc,fsync', 'status=none'];

async function beheaded(device: string, argv: readonly [string, ...string[]]): Promise<void> {
  await output([...argv, device]);
  await zero(device, 1);
}

/** A partition at 1 MiB with a filesystem, whose table is gone. */
async function partitioned(device: string, label: 'gpt' | 'dos', start = '1MiB'): Promise<void> {
  const table = `label: ${label}\nstart=${start}\n`;
  await output(['sfdisk', '-q', '--no-reread', '--no-tell-kernel', device], { input: table });
  await output(['mkfs.ext4', '-q', '-F', '-E', 'offset=1048576', device, '2G']);
}

const cases: readonly Remains[] = [
  {
    what: 'an ext4 whose first MiB is zero',
    programs: ['mkfs.ext4'],
    make: (device) => beheaded(device, ['mkfs.ext4', '-q']),
    reason: /^it has a backup superblock of ext4, which began at byte 0, at byte 134217728$/m,
  },
  {
    what: 'an xfs whose first MiB is zero',
    programs: ['mkfs.xfs'],
    make: (device) => beheaded(device, ['mkfs.xfs', '-q']),
    reason: /^it has a header of an allocation group of xfs at byte 805306368$/m,
  },
  {
    what: 'a btrfs whose first MiB is zero',
    programs: ['mkfs.btrfs'],
    make: (device) => beheaded(device, ['mkfs.btrfs', '-q']),
    reason: /^it has (a backup superblock of btrfs at byte 67108864|data at byte \d+)$/m,
  },
  {
    what: 'a GPT that was zapped and an ext4 in its partition',
    programs: ['sfdisk', 'mkfs.ext4', 'sgdisk'],
    make: async (device) => {
      await partitioned(device, 'gpt');
      await command(['sgdisk', '--zap-all', device]);
    },
    reason: /^it has a signature of ext4 at byte 1049656, where a partition may have begun, byte 1048576$/m,
  },
  {
    what: 'an MBR that was zeroed and an ext4 in its partition',
    programs: ['sfdisk', 'mkfs.ext4'],
    make: async (device) => {
      await partitioned(device, 'dos');
      await output(['dd', 'if=/dev/zero', `of=${device}`, 'bs=512', 'count=1', ...quiet]);
    },
    reason: /^it has a signature of ext4 at byte 1049656/m,
  },
  {
    what: 'a GPT whose first copy is zeroed and an ext4 where the second says',
    programs: ['sfdisk', 'mkfs.ext4'],
    make: async (device) => {
      const table = 'label: gpt\nstart=100MiB\n';
      await output(['sfdisk', '-q', '--no-reread', '--no-tell-kernel', device], { input: table });
      await output(['mkfs.ext4', '-q', '-F', '-E', 'offset=104857600', device, '1G']);
      await zero(device, 1);
    },
    reason:
      /^it has a signature of ext4 at byte 104858680, where a partition of its table began, byte 104857600$/m,
  },
  {
    what: 'data in the middle only',
    programs: [],
    make: (device) => writeAt(device, BigInt(gib + 12_345), Buffer.alloc(8 * mib, 'data')),
    reason: /^it has data at byte 10737\d{5}$/m,
  },
  {
    what: 'one byte at 2 MiB',
    programs: [],
    make: (device) => writeAt(device, BigInt(2 * mib), Buffer.from([1])),
    reason: /^it has data at byte 2097152$/m,
  },
  {
    what: 'data beyond 1 GiB only',
    programs: [],
    make: (device) => writeAt(device, BigInt(gib + 3 * mib), Buffer.alloc(4096, 7)),
    reason: /^it has data at byte 1076887552$/m,
  },
];

for (const { what, programs, make, reason } of cases) {
  testWith(root, ...programs.map((name) => program(name)))(
    `a disk with ${what} is refused by name and place, and left as it is`,
    async (t) => {
      const { path, file } = await loopDevice(t, { sizeBytes: 3 * gib });
      await make(path);
      await output(['sync', file]);
      const before = await sum(file);
      const found = await emptiness(path);
      t.false(found.empty);
      t.regex(found.empty ? '' : found.reasons.join('\n'), reason);
      const error = await t.throwsAsync(partitions.create(path), { instanceOf: BlockError });
      t.is(error?.code, 'ERR_BLOCK_NOT_EMPTY');
      await output(['sync', file]);
      t.is(await sum(file), before);
    },
  );
}

testWith(root)(
  'the windows alone find data that fills a 500th of a disk whose map nobody can read',
  async (t) => {
    const { path, file } = await loopDevice(t, { sizeBytes: 3 * gib });
    const outer = await loopDevice(t, { file: path }); // a loop device on a device has no map
    await using handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(6 * mib + 8192, 3), 0, 6 * mib + 8192, 2 * gib + 4096);
    const found = await emptiness(outer.path);
    t.false(found.empty);
    t.regex(found.empty ? '' : found.reasons.join('\n'), /^it has data at byte 214\d{7}$/m);
    t.deepEqual(
      found.receipt.read.map(({ purpose }) => purpose),
      ['edges', 'backups', 'windows'],
    );
  },
);

testWith(root)('a disk that does not discard is empty after a fast wipe, as its owner wished', async (t) => {
  const directory = join(await temporaryDirectory(t), 'ramfs');
  await mkdir(directory);
  await output(['mount', '-t', 'ramfs', 'ramfs', directory]); // its files take no holes, so the loop devices discard nothing
  t.teardown(() => output(['umount', directory]));
  const backing = join(directory, 'disk.img');
  await writeFile(backing, '');
  await truncate(backing, 256 * mib);
  const { path } = await loopDevice(t, { file: backing });
  await writeAt(path, 0n, Buffer.alloc(256 * mib, 'data'));
  const outer = await loopDevice(t, { file: path });
  t.is(await readFile(`/sys/block/${outer.path.slice(5)}/queue/discard_max_bytes`, 'utf8'), '0\n');
  t.false((await emptiness(outer.path)).empty);
  await wipe.content(outer.path, { method: 'fast' });
  const { empty, receipt } = await emptiness(outer.path);
  t.true(empty);
  t.deepEqual(receipt.found, []);
});

testWith(root)('the map of the backing file is that of the part which the loop device shows', async (t) => {
  const { file } = await loopDevice(t, { sizeBytes: 3 * gib });
  const shown = await output([
    'losetup',
    '-f',
    '--show',
    '-o',
    String(gib),
    '--sizelimit',
    String(gib),
    file,
  ]);
  const path = shown.trim();
  t.teardown(() => output(['losetup', '--detach', path]));
  await writeAt(file, BigInt(gib / 2), Buffer.alloc(4096, 7));
  await writeAt(file, BigInt(2 * gib + 12 * mib), Buffer.alloc(4096, 7));
  const empty = await emptiness(path);
  t.true(empty.empty, 'what is before and behind it is another device');
  t.is(empty.receipt.map, 'read');
  await writeAt(file, BigInt(gib + 7 * mib + 4096), Buffer.from([1]));
  const found = await emptiness(path);
  t.deepEqual(found.receipt.found, [`it has data at byte ${7 * mib + 4096}`]);
});

testWith(root)('a receipt says what was read, of which device, and in which time', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 3 * gib });
  const { empty, receipt } = await emptiness(path);
  t.true(empty);
  t.like(receipt, { device: path, size: BigInt(3 * gib), map: 'read', users: [], found: [], unproven: [] });
  t.true(receipt.tookMs <= receipt.limitMs);
  t.deepEqual(receipt.probedAt, [0n, 32_256n, 1_048_576n, 4_194_304n]);
  const counts = Object.fromEntries(receipt.read.map(({ purpose, ranges }) => [purpose, ranges.length]));
  t.is(counts['edges'], 2);
  t.is(counts['windows'], 1024);
  t.true((counts['backups'] ?? 0) > 50);
});

/** Of every page that is not zero, and its place; whole holes cost nothing. */
async function sum(path: string): Promise<string> {
  const hash = createHash('sha256');
  await using file = await DeviceFile.open(path);
  const map = await dataExtents(file);
  if ('unknown' in map) throw new Error(map.unknown);
  for (const { offset, size } of map.extents.flatMap(chunks)) {
    const bytes = await file.read(offset, Number(size));
    for (let at = 0; at < bytes.length; at += 4096) {
      const page = bytes.subarray(at, at + 4096);
      if (!isZero(page)) hash.update(`${offset + BigInt(at)}`).update(page);
    }
  }
  return hash.digest('hex');
}
