import test from 'ava';

import type { Candidate } from '../../src/facts/facts.ts';
import { explain, someOf, verdictsOf } from '../../src/facts/verdict.ts';
import { FakeDisk } from '../fake-disk.ts';
import { FakeWorld } from '../fake-world.ts';
import { Machine } from '../machine.ts';
import { candidate } from '../plan-facts.ts';
import { userSpec } from '../specs.ts';

const other = { mismatch: 'expression is false' };
const others = (count: number): readonly Candidate[] =>
  Array.from({ length: count }, (_, index) => candidate(`loop${index}`, other));

test('a reason names the disks that match, and counts the others', (t) => {
  const used = candidate('sdx', { refusal: 'holds xfs' });
  t.is(explain([...others(49), used]), ': sdx: holds xfs; 49 others do not match');
  t.is(explain([used, candidate('sda', other)]), ': sdx: holds xfs; 1 other does not match');
  const owned = candidate('sdw', { owner: 'u-x' });
  t.is(explain([used, owned]), ': sdw: belongs to volume u-x; sdx: holds xfs');
});

test('what is refused comes before a selector that fails, and that before a disk that no volume may have', (t) => {
  const optical = candidate('sr0', { mismatch: 'optical drive', noted: 'selector matches' });
  const failing = candidate('sdb', { mismatch: 'expression fails: x', noted: 'selector fails' });
  const used = candidate('sdx', { refusal: 'holds xfs' });
  const told = ': sdx: holds xfs; sdb: expression fails: x; sr0: optical drive; 3 others do not match';
  t.is(explain([...others(3), optical, failing, used]), told);
});

test('where nothing matches a few disks stand for all', (t) => {
  t.is(explain([]), ': there are no disks');
  t.is(explain(others(1)), ': loop0: expression is false');
  t.regex(explain(others(300)), /^(?:: |; )loop0: expression is false; .*; 296 others do not match$/);
});

test('a reason fits into a table, however many disks are refused for however long reasons', (t) => {
  const refusal = 'x'.repeat(5000);
  const many = Array.from({ length: 300 }, (_, index) => candidate(`sd${index}`, { refusal }));
  const reason = explain([...many, ...others(50)]);
  t.true(reason.length < 400, `${reason.length}`);
  t.regex(reason, /; 296 more can't be used; 50 others do not match$/);
});

test('the verdicts are whole sentences, those of matching disks first, and not without end', (t) => {
  const refusal = 'x'.repeat(5000);
  const verdicts = verdictsOf([...others(300), candidate('sdx', { refusal })]);
  t.deepEqual(verdicts.slice(0, 2), [
    { disk: 'sdx', matched: true, reason: refusal },
    { disk: 'loop0', matched: false, reason: 'expression is false' },
  ]);
  t.is(verdicts.length, 100);
});

test('many names are some names and a count', (t) => {
  t.is(someOf(['sdb', 'sda']), 'sda, sdb');
  const names = Array.from({ length: 300 }, (_, index) => `d${1000 + index}`);
  t.is(someOf(names), 'd1000, d1001, d1002, d1003 and 296 more');
});

test('a status has the verdict on every disk while the volume waits, follows their changes, and has none afterwards', async (t) => {
  const disks = ['sda', 'sdb', 'sdc'].map((id) => new FakeDisk(id, 8000));
  const world = new FakeWorld(disks);
  const [sda, sdb] = disks;
  if (sda === undefined || sdb === undefined) throw new TypeError('no disks');
  sdb.slot.region = { kind: 'foreign', type: 'ntfs' };
  sda.facts = { ...sda.facts, readonly: true };
  const spec = userSpec('data', 'disk.dev_path != "/dev/sdc"');
  const machine = new Machine(world, [spec]);
  t.teardown(() => machine.stop());
  t.true(await machine.until(() => machine.status('u-data').reason?.startsWith('no disk can') === true));
  t.is(
    machine.status('u-data').reason,
    'no disk can be used: sdb: holds ntfs; sda: read-only; 1 other does not match',
  );
  t.deepEqual(machine.status('u-data').candidates, [
    { disk: 'sdb', matched: true, reason: 'holds ntfs' },
    { disk: 'sda', matched: true, reason: 'read-only' },
    { disk: 'sdc', matched: false, reason: 'expression is false' },
  ]);
  const sdd = new FakeDisk('sdd', 8000, { region: { kind: 'foreign', type: 'dos' } });
  world.disks.push(sdd);
  world.tell();
  t.true(await machine.until(() => machine.status('u-data').candidates?.length === 4));
  sdd.slot.region = { kind: 'zero' };
  world.tell();
  t.true(await machine.until(() => machine.isReady));
  t.is(machine.status('u-data').candidates, undefined);
});
