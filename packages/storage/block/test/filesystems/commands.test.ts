import test from 'ava';

import { type FormatFacts, ext4Arguments, profileFor, xfsArguments } from '../../src/filesystems/commands.ts';

const gib = 1n << 30n;

const facts: FormatFacts = {
  discard: true,
  path: '/dev/nvme0n1p1',
  uuid: 'd1b9b7e8-3a5f-4bba-9f0c-8c6f6e7d1a11',
  sizeBytes: 1000n * gib,
  rotational: false,
  cpus: 8,
};

const concurrencyOf = (changed: Partial<FormatFacts>, concurrency = true): string | undefined =>
  xfsArguments({ ...facts, ...changed }, { concurrency }).find((one) => one.startsWith('concurrency='));

test('nothing is forced', (t) => {
  for (const argument of [...xfsArguments(facts, { concurrency: true }), ...ext4Arguments(facts)]) {
    t.notRegex(argument, /^-[fF]/);
  }
});

test('the device comes last and the label goes with its option', (t) => {
  t.deepEqual(ext4Arguments({ ...facts, label: 'data' }), [
    '-q',
    '-U',
    facts.uuid,
    '-L',
    'data',
    '/dev/nvme0n1p1',
  ]);
  t.deepEqual(xfsArguments({ ...facts, label: 'data' }, { concurrency: false, profile: '/p.conf' }), [
    '-q',
    '-c',
    'options=/p.conf',
    '-m',
    `uuid=${facts.uuid}`,
    '-n',
    'ftype=1',
    '-L',
    'data',
    '/dev/nvme0n1p1',
  ]);
});

test('an xfs of at most 300 MiB is asked for as such', (t) => {
  t.true(
    xfsArguments({ ...facts, sizeBytes: 300n << 20n }, { concurrency: false }).includes('--unsupported'),
  );
  t.false(
    xfsArguments({ ...facts, sizeBytes: 301n << 20n }, { concurrency: false }).includes('--unsupported'),
  );
});

test('an xfs on a disk without moving parts gets an allocation group per CPU, of at least 64 GiB', (t) => {
  t.is(concurrencyOf({}), 'concurrency=8');
  t.is(concurrencyOf({ sizeBytes: 200n * gib }), 'concurrency=3');
  t.is(concurrencyOf({ sizeBytes: 100n * gib }), 'concurrency=0');
  t.is(concurrencyOf({ sizeBytes: 100n * gib, xfsMinAllocationGroupSize: 10n * gib }), 'concurrency=8');
  t.is(concurrencyOf({ sizeBytes: 100n * gib, xfsMinAllocationGroupSize: 0n }), 'concurrency=0');
  t.is(concurrencyOf({ rotational: true }), undefined);
  t.is(concurrencyOf({}, false), undefined);
});

test('the newest profile that the kernel can mount is taken', (t) => {
  const files = ['dax_x86_64.conf', 'lts_5.15.conf', 'lts_6.1.conf', 'lts_6.12.conf', 'lts_6.6.conf'];
  t.is(profileFor('6.1.0-40-amd64', files), 'lts_6.1.conf');
  t.is(profileFor('6.5.1', files), 'lts_6.1.conf');
  t.is(profileFor('6.18.44', files), 'lts_6.12.conf');
  t.is(profileFor('5.4.0', files), undefined);
  t.is(profileFor('6.1.0', []), undefined);
});
