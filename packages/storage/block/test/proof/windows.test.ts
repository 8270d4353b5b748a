import test from 'ava';

import { backupPlaces, defaultStarts } from '../../src/proof/backup-places.ts';
import { type ByteRange, bytesOf, endOfRange } from '../../src/byte-range.ts';
import { extentWindows } from '../../src/proof/extent-windows.ts';
import { chunks, spread, spreadWindows, windowCount } from '../../src/proof/windows.ts';

const kib = 1n << 10n;
const mib = 1n << 20n;
const gib = 1n << 30n;
const tib = 1n << 40n;

const sizes = [17n * mib, 64n * mib, 100n * gib + 512n, 3n * tib, 16n * tib];

function gaps(windows: readonly ByteRange[], { offset, size }: ByteRange): bigint[] {
  const ends = [offset, ...windows.map(endOfRange)];
  const starts = [...windows.map((window) => window.offset), offset + size];
  return starts.map((start, index) => start - (ends[index] ?? 0n));
}

for (const size of sizes) {
  test(`1024 windows of a page lie in ${size} bytes, with no gap above two 1000ths`, (t) => {
    const range = { offset: mib, size };
    const windows = spreadWindows(range);
    t.is(windows.length, windowCount);
    t.true(windows.every((window) => window.size === 4096n && (window.offset - mib) % 4096n === 0n));
    const wide = gaps(windows, range);
    t.true(
      wide.every((gap) => gap >= 0n),
      'sorted, disjoint and inside',
    );
    t.true(
      wide.every((gap) => gap * 1000n <= size * 2n),
      'no wide gap',
    );
  });
}

test('the same range has the same windows, and they are not in step', (t) => {
  const range = { offset: 0n, size: tib };
  t.deepEqual(spreadWindows(range), spreadWindows(range));
  const first = spreadWindows(range).slice(0, 3);
  // What is published of a receipt is found again by this seed.
  t.deepEqual(
    first.map(({ offset }) => offset),
    [562_802_688n, 1_982_296_064n, 2_321_854_464n],
  );
  const steps = gaps(spreadWindows(range), range);
  t.true(new Set(steps).size > 1000);
});

for (const size of [1n, 512n, 4096n, 5000n, 1n * mib, 16n * mib]) {
  test(`a range of ${size} bytes is read as a whole`, (t) => {
    const windows = spreadWindows({ offset: mib, size });
    t.is(bytesOf(windows), size);
    t.true(gaps(windows, { offset: mib, size }).every((gap) => gap === 0n));
  });
}

test('a range with hardly more pages than windows has each of its parts seen', (t) => {
  const windows = spread({ offset: 0n, size: 1025n * 4096n }, 1024);
  t.is(new Set(windows.map(({ offset }) => offset)).size, 1024);
  t.true(windows.every((window) => endOfRange(window) <= 1025n * 4096n));
});

const covers = (places: readonly ByteRange[], offset: bigint): boolean =>
  places.some((place) => place.offset <= offset && offset + 512n <= endOfRange(place));

for (const [what, at] of [
  ['ext4 with blocks of 4 KiB, group 1', 128n * mib],
  ['ext4 with blocks of 4 KiB, group 3, in a partition at 1 MiB', mib + 3n * 128n * mib],
  ['ext4 with blocks of 2 KiB, group 5', 5n * 32n * mib],
  ['ext4 with blocks of 1 KiB, group 1', 8n * mib + kib],
  ['ext4 with blocks of 1 KiB, group 49, behind 63 sectors', 63n * 512n + kib + 49n * 8n * mib],
  ['btrfs', 64n * mib],
  ['btrfs in a partition at 4 MiB', 68n * mib],
  ['btrfs, the third copy', 256n * gib],
  ['LUKS2 with a large header', 4n * mib],
  ['LUKS2 in a partition at 1 MiB', mib + 16n * kib],
  ['xfs in four groups', (3n * tib) / 4n],
  ['xfs in four groups, the last', ((3n * tib) / 4n) * 3n],
  ['xfs in a partition up to the last MiB', mib + (3n * tib - 2n * mib) / 2n],
  ['GPT of a disk of 1 TiB that grew', tib - 512n],
  ['bluestore', 10n * gib],
  ['a table as far down as another of its partitions says', 7n * gib + 128n * mib],
] as const) {
  test(`the backup of ${what} is looked for`, (t) => {
    const size = 3n * tib;
    const bounds = { offset: mib, size: size - 2n * mib };
    const places = backupPlaces(size, [...defaultStarts(size, 512), 7n * gib], bounds);
    t.true(covers(places, at));
    t.true(places.length < 500, 'few enough for a disk that turns');
  });
}

test('xfs of more than 4 TiB has groups of 1 TiB less a block', (t) => {
  const size = 16n * tib;
  const places = backupPlaces(size, [], { offset: mib, size: size - 2n * mib });
  t.true(covers(places, tib - 4096n) && covers(places, 3n * (tib - 4096n)));
});

for (const size of [0n, 512n, 1n * mib, 2n * mib, 3n * mib, 16n * mib, 64n * mib]) {
  test(`no backup is looked for outside of ${size} bytes`, (t) => {
    const middle = { offset: mib, size: size - 2n * mib };
    const places = backupPlaces(size, defaultStarts(size, 4096), middle);
    t.true(places.every(({ offset }) => offset >= mib));
    t.true(places.every((place) => endOfRange(place) <= size - mib));
  });
}

test('extents that are small together are read as a whole, large ones in 1024 places and at their beginnings', (t) => {
  const bounds = { offset: mib, size: tib };
  const small = [
    { offset: 5n * gib + 5n, size: 10n },
    { offset: 9n * gib, size: 3n * mib },
  ];
  t.is(bytesOf(extentWindows(small, bounds)), 4096n + 3n * mib);
  const large = [
    { offset: 7n * gib, size: 4096n },
    { offset: 100n * gib, size: 200n * gib },
  ];
  const windows = extentWindows(large, bounds);
  t.true(windows.length >= 1024);
  t.true(covers(windows, 7n * gib) && covers(windows, 100n * gib));
  t.true(windows.every(({ offset }) => offset === 7n * gib || offset >= 100n * gib));
});

test('pieces follow each other without a gap', (t) => {
  const pieces = chunks({ offset: 3n * mib, size: mib + 1n });
  t.is(bytesOf(pieces), mib + 1n);
  t.true(gaps(pieces, { offset: 3n * mib, size: mib + 1n }).every((gap) => gap === 0n));
});
