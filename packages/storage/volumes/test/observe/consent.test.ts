import type { Disk, PartitionTable } from '@nodecore/block';
import test from 'ava';

import { consentOf, keptBy } from '../../src/observe/consent.ts';
import { FakeDisk } from '../fake-disk.ts';
import { userSpec } from '../specs.ts';

const disk = (id: string, facts: Partial<Disk> = {}): Disk => new FakeDisk(id, 8000, { facts }).facts;
const one = disk('sda', { serial: 'S-1', wwid: 'naa.1' });
const two = disk('sdb', { serial: 'S-2', wwid: 'naa.2' });
const twin = disk('sdc', { serial: 'S-1', wwid: '' });
const nameless = disk('loop0', { serial: '', wwid: '' });

const table = (label: string): PartitionTable => ({ partitions: [{ label }] }) as unknown as PartitionTable;
const wishing = (...erase: readonly string[]) => ({ ...userSpec('data', 'true'), erase });

test('a disk is meant by its exact WWN or serial number', (t) => {
  const ground = { disks: [one, two, nameless], systemDisk: undefined };
  t.is(consentOf(wishing('naa.1'), one, ground), 'given');
  t.is(consentOf(wishing('S-9', 'S-1'), one, ground), 'given');
  t.is(consentOf(wishing('S-1'), two, ground), 'none');
  t.is(consentOf(wishing('S-'), one, ground), 'none');
  t.is(consentOf(wishing('s-1'), one, ground), 'none');
  t.is(consentOf(wishing(''), nameless, ground), 'none');
  t.is(consentOf(userSpec('data', 'true'), one, ground), 'none');
});

test('a number that two disks have names none, and says which they are', (t) => {
  const ground = { disks: [one, two, twin], systemDisk: undefined };
  const refused = { refused: 'nothing is erased, because S-1 names sda and sdc' };
  t.deepEqual(consentOf(wishing('S-1'), one, ground), refused);
  t.deepEqual(consentOf(wishing('S-1'), twin, ground), refused);
  t.is(consentOf(wishing('naa.1'), one, ground), 'given');
});

test('the paths of a multipath device are no other disks', (t) => {
  const mapped = disk('dm-0', { wwid: 'naa.1', secondaryDisks: ['sda'] });
  t.is(consentOf(wishing('naa.1'), mapped, { disks: [one, mapped], systemDisk: undefined }), 'given');
});

test('the system disk is never erased', (t) => {
  const ground = { disks: [one, two], systemDisk: 'sda' };
  t.deepEqual(consentOf(wishing('S-1'), one, ground), { refused: 'the system disk is never erased' });
});

test('a disk with a partition that this system made keeps it', (t) => {
  for (const label of ['u-data', 'r-blocks', 's-swap', 'STATE', 'EPHEMERAL', 'META'])
    t.is(keptBy(table(label)), `nothing is erased, because it has partition ${label}`);
  for (const label of ['', 'data', 'my u-data', 'Windows']) t.is(keptBy(table(label)), undefined);
});
