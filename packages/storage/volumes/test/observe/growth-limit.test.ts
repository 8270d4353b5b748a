import type { PartitionTable } from '@nodecore/block';
import type { Size } from '@nodecore/config';
import test from 'ava';

import { growableSizeBytes } from '../../src/observe/growth-limit.ts';
import { diskSpec, userSpec } from '../specs.ts';

const mebibyte = 1n << 20n;

/** A volume of 100 MiB at 1 MiB, with so much behind it. */
function table(behindMiB: bigint, gap = 0n): PartitionTable {
  const partition = {
    index: 1,
    partitionGuid: 'guid',
    typeGuid: '',
    label: 'u-data',
    offset: mebibyte,
    size: 100n * mebibyte,
    attributes: 0n,
    underConstruction: false,
    devPath: '/dev/sda1',
  };
  const free = [{ offset: 101n * mebibyte + gap, size: behindMiB * mebibyte }];
  return { device: '/dev/sda', diskGuid: 'disk', sectorSize: 512, partitions: [partition], free };
}

function room(behindMiB: bigint, maxSize?: Size, gap?: bigint): bigint | undefined {
  const { partition, ...rest } = userSpec('data', 'true');
  if (partition === undefined) throw new TypeError('a partition volume');
  const { maxSize: _limit, ...rules } = partition;
  const grown = { ...rules, grow: true, ...(maxSize === undefined ? {} : { maxSize }) };
  const bytes = growableSizeBytes({ ...rest, partition: grown }, 'guid', table(behindMiB, gap));
  return bytes === undefined ? undefined : bytes / mebibyte;
}

const bytes = (count: bigint, negative = false): Size => ({
  kind: 'bytes',
  bytes: count * mebibyte,
  negative,
  text: `${negative ? '-' : ''}${count}MiB`,
});
const percent = (hundredths: number, negative = false): Size => ({
  kind: 'percent',
  digits: BigInt(hundredths),
  decimals: 2,
  negative,
  text: `${negative ? '-' : ''}${hundredths / 100}%`,
});

test('without a limit a volume may have all that is behind it', (t) => {
  t.is(room(400n), 500n);
});

test('an absolute limit holds, also when it is reached already', (t) => {
  t.is(room(400n, bytes(250n)), 250n);
  t.is(room(400n, bytes(100n)), undefined);
  t.is(room(400n, bytes(50n)), undefined);
});

test('a share and an amount to leave free are of what the volume could have', (t) => {
  t.is(room(400n, percent(5000)), 250n);
  t.is(room(400n, percent(1000, true)), 450n);
  t.is(room(400n, bytes(150n, true)), 350n);
  t.is(room(400n, bytes(500n, true)), undefined);
  t.is(room(400n, percent(10)), undefined);
});

test('less than a mebibyte is no room, and neither is a range that is not directly behind', (t) => {
  t.is(room(0n), undefined);
  t.is(room(400n, undefined, 5n * mebibyte), undefined);
  t.is(room(400n, undefined, 4096n), 500n);
});

test('a volume that does not grow, a whole disk and an unknown partition have no room', (t) => {
  t.is(growableSizeBytes(userSpec('data', 'true'), 'guid', table(400n)), undefined);
  t.is(growableSizeBytes(diskSpec('data', 'true'), 'guid', table(400n)), undefined);
  const { partition, ...rest } = userSpec('data', 'true');
  t.is(
    growableSizeBytes(
      { ...rest, ...(partition && { partition: { ...partition, grow: true } }) },
      'other',
      table(400n),
    ),
    undefined,
  );
});
