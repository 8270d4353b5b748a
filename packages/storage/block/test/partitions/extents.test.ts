import test from 'ava';

import { firstOverlap, freeExtents, largest, smallestFit } from '../../src/partitions/extents.ts';

const extent = (firstLba: number, sectors: number) => ({
  firstLba: BigInt(firstLba),
  sectors: BigInt(sectors),
});
const whole = { firstUsableLba: 34n, lastUsableLba: 20_446n, alignmentSectors: 2048n };

test('an empty disk has one free extent, rounded inwards to the alignment', (t) => {
  t.deepEqual(freeExtents([], whole), [extent(2048, 16_384)]);
});

test('free extents don’t depend on the order of the entries', (t) => {
  const occupied = [extent(12_288, 2048), extent(2048, 2048), extent(8192, 2048)];
  const free = [extent(4096, 4096), extent(10_240, 2048), extent(14_336, 4096)];
  t.deepEqual(freeExtents(occupied, whole), free);
  t.deepEqual(freeExtents(occupied.toReversed(), whole), free);
});

test('what an entry covers is not free, even when a later entry lies inside it', (t) => {
  t.deepEqual(freeExtents([extent(2048, 12_288), extent(4096, 2048)], whole), [extent(14_336, 4096)]);
});

test('a gap below the alignment is no free extent', (t) => {
  t.deepEqual(freeExtents([extent(2048, 2047), extent(4097, 16_350)], whole), []);
});

test('an entry that ends between two boundaries moves the next start up', (t) => {
  t.deepEqual(freeExtents([extent(2048, 100)], whole), [extent(4096, 14_336)]);
});

test('entries behind the usable range leave the rest as it is', (t) => {
  t.deepEqual(freeExtents([extent(30_000, 100)], whole)[0], extent(2048, 26_624));
});

test('the smallest extent that fits is taken, the first of equals', (t) => {
  const free = [extent(0, 50), extent(100, 20), extent(200, 20), extent(300, 10)];
  t.deepEqual(smallestFit(free, 15n), extent(100, 20));
  t.deepEqual(smallestFit(free, 10n), extent(300, 10));
  t.is(smallestFit(free, 51n), undefined);
  t.deepEqual(largest(free), extent(0, 50));
  t.is(largest([]), undefined);
});

test('an overlap is found whatever the order, also with an extent that reaches over its neighbour', (t) => {
  t.is(firstOverlap([extent(10, 10), extent(0, 10), extent(20, 1)]), undefined);
  t.deepEqual(firstOverlap([extent(30, 5), extent(0, 100), extent(10, 5)]), [extent(0, 100), extent(10, 5)]);
  t.deepEqual(firstOverlap([extent(0, 100), extent(10, 5), extent(99, 5)]), [extent(0, 100), extent(10, 5)]);
});
