import { spawnSync } from 'node:child_process';

import { program, testWith } from '@nodecore/testkit';
import test from 'ava';

import {
  compareEntries,
  compareImageVersions,
  type EntryName,
  formatEntryName,
  parseEntryName,
} from '../src/index.ts';

test('a name is read as it was written', (t) => {
  const names: readonly [string, EntryName][] = [
    ['nodeos-1.14.0-1.efi', { imageVersion: '1.14.0', sequence: 1 }],
    [
      'nodeos-1.14.0~rc.1-12+3.efi',
      { imageVersion: '1.14.0~rc.1', sequence: 12, tries: { left: 3, done: 0 } },
    ],
    ['nodeos-1.14.1-2+0-3.efi', { imageVersion: '1.14.1', sequence: 2, tries: { left: 0, done: 3 } }],
  ];
  for (const [name, entry] of names) {
    t.deepEqual(parseEntryName(name), entry);
    t.is(formatEntryName(entry), name);
  }
  t.deepEqual(parseEntryName('NODEOS-1.14.0-1.EFI'), { imageVersion: '1.14.0', sequence: 1 }); // FAT
});

test('what is no entry of ours is none', (t) => {
  for (const name of [
    'nodeos-1.14.0.efi',
    'nodeos-1.14.0-1.efi.part',
    'nodeos-1.14.0-1+.efi',
    'nodeos-1.14.0-1+3-.efi',
    'nodeos-1.14.0-1-3.efi',
    'nodeos--1.efi',
    'nodeos-~1-1.efi',
    'nodeos-1.14.0-9999999999.efi',
    'nodeos-a/b-1.efi',
    'other-1.14.0-1.efi',
    '',
  ]) {
    t.is(parseEntryName(name), undefined, name);
  }
});

test('no name is made that would not be read', (t) => {
  for (const entry of [
    { imageVersion: '1.14.0-rc.1', sequence: 1 },
    { imageVersion: '1.14.0+b', sequence: 1 },
    { imageVersion: '../x', sequence: 1 },
    { imageVersion: '1.14.0-A', sequence: 1 },
    { imageVersion: '', sequence: 1 },
    { imageVersion: '1.14.0', sequence: -1 },
    { imageVersion: '1.14.0', sequence: 1, tries: { left: 0.5, done: 0 } },
  ]) {
    t.throws(() => formatEntryName(entry), { code: 'ERR_BOOT_NAME' });
  }
});

test('the menu starts the highest version that has a start left', (t) => {
  const order = [
    'nodeos-1.14.1-3+3.efi',
    'nodeos-1.14.0-10.efi',
    'nodeos-1.14.0-9.efi',
    'nodeos-1.14.0~rc.10-2.efi',
    'nodeos-1.14.0~rc.2-8.efi',
    'nodeos-1.13.9-20.efi',
    'nodeos-1.15.0-4+0-3.efi',
  ];
  const entries = order.map((name) => parseEntryName(name)).filter((entry) => entry !== undefined);
  t.deepEqual(entries.toReversed().toSorted(compareEntries).map(formatEntryName), order);
});

test('a pre-release is below its release in the boot menu', (t) => {
  t.true(compareImageVersions('1.14.0~rc.1', '1.14.0') < 0);
  t.true(compareImageVersions('1.14.0~rc.10', '1.14.0~rc.2') > 0);
});

testWith(program('systemd-analyze'))('versions are in the order of systemd', (t) => {
  const versions = [
    '1.14.0~rc.1',
    '1.14.0',
    '1.14.0-1',
    '1.14.00',
    '1.9',
    '1.14.0^2',
    '1.14.0~',
    '1.a',
    '1.14.0a',
  ];
  for (const [index, left] of versions.entries()) {
    for (const right of versions.slice(index)) {
      const sign = compareImageVersions(left, right);
      t.is(compareImageVersions(right, left), sign === 0 ? 0 : -sign);
      const { stdout } = spawnSync('systemd-analyze', ['compare-versions', left, right], {
        encoding: 'utf8',
      });
      t.is(/ (<|==|>) /.exec(stdout)?.[1], sign < 0 ? '<' : sign > 0 ? '>' : '==', stdout);
    }
  }
});
