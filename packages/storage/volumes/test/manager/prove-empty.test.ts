import { setImmediate as turn } from 'node:timers/promises';

import test from 'ava';

import { DeviceReader } from '../../src/observe/device-reader.ts';
import { type EmptinessAnswer, proveEmpty } from '../../src/manager/prove-empty.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { KeyedLock } from '@nodecore/waiting';
import { FakeDisk } from '../fake-disk.ts';
import { FakeEffects } from '../fake-effects.ts';
import { FakeWorld } from '../fake-world.ts';

function setUp(disk: FakeDisk) {
  const world = new FakeWorld([disk]);
  const clock = new FakeClock();
  const workshop = {
    reader: new DeviceReader(new FakeEffects(world, clock), clock),
    locks: new KeyedLock(),
    clock,
  };
  const { signal } = new AbortController();
  const place = { disk: disk.facts, devPath: disk.facts.devPath };
  const prove = (): Promise<EmptinessAnswer> => proveEmpty(place, workshop, signal);
  return { world, clock, locks: workshop.locks, signal, prove };
}

test('a blank disk is empty, and one with anything on it is not: both with the receipt', async (t) => {
  const blank = await setUp(new FakeDisk('sda', 4000)).prove();
  t.like(blank, { empty: true, reasons: [], receipt: { device: '/dev/sda', found: [] } });
  const full = await setUp(new FakeDisk('sda', 4000, { region: { kind: 'noise' } })).prove();
  t.false(full.empty);
  t.is(full.reasons.length, 1);
  t.deepEqual(full.receipt?.found, full.reasons);
});

test('a disk that hangs is answered with that reason', async (t) => {
  const disk = new FakeDisk('sda', 4000);
  disk.hung = true;
  const { clock, prove } = setUp(disk);
  const hanging = prove();
  await turn(); // it has its turn
  clock.skip();
  t.deepEqual(await hanging, { empty: false, reasons: ['/dev/sda does not answer'] });
});

test('a proof waits for whoever is at work on the disk, and tells who waits too long', async (t) => {
  const { world, clock, locks, signal, prove } = setUp(new FakeDisk('sda', 4000));
  const work = Promise.withResolvers<void>();
  const working = locks.run(['/dev/sda'], () => work.promise, signal);
  const waiting = prove();
  clock.skip();
  t.deepEqual(await waiting, {
    empty: false,
    reasons: ['a volume is at work on /dev/sda: try again later'],
  });
  const second = prove();
  work.resolve();
  await working;
  t.true((await second).empty);
  t.deepEqual(world.proofs, ['/dev/sda'], 'what was given up is not read when its turn comes');
});
