import test, { type ExecutionContext } from 'ava';

import type { VolumeSpec } from '../src/index.ts';
import { FakeDisk } from './fake-disk.ts';
import { FakeWorld, type CrashPlan } from './fake-world.ts';
import { rawSpec } from './kind-specs.ts';
import { Machine } from './machine.ts';
import { encryption, passphrase } from './specs.ts';

const on = 'disk.dev_path == "/dev/sda"';
const key = encryption(passphrase(0, 'x'));
const opened = '/dev/mapper/luks2-r-osd';
const total = 1000n << 20n;
const half = total / 2n;

function start(t: ExecutionContext, world: FakeWorld, spec: VolumeSpec, crash?: CrashPlan): Machine {
  const machine = new Machine(world, [spec], crash);
  t.teardown(() => machine.stop());
  return machine;
}

const fresh = (): FakeWorld => new FakeWorld([new FakeDisk('sda', 8000)]);

const made = ({ changes }: FakeWorld): readonly string[] =>
  changes
    .filter((change) => change.startsWith('make '))
    .map((change) => change.replace(/^make .* blank /, ''));

/** The world after a process died when it had made half of the volume blank, and recorded that. */
async function halfway(t: ExecutionContext, spec: VolumeSpec): Promise<FakeWorld> {
  const probe = fresh();
  const whole = start(t, probe, spec);
  t.true(await whole.until(() => whole.isReady));
  const at = probe.changes.findIndex((change) => change.endsWith(`blank up to ${total}`));
  await whole.stop();
  const world = fresh();
  const machine = start(t, world, spec, { at, mode: 'before' });
  t.true(await machine.until(() => world.crashed));
  await machine.stop();
  world.cutPower();
  return world;
}

for (const encrypted of [false, true]) {
  const what = encrypted ? 'a raw volume with encryption' : 'a raw volume';
  const spec = rawSpec('osd', on, { blank: 'zeroes', ...(encrypted && { encryption: key }) });

  test(`${what} shows nothing of what was there before; the status says how far that is, and what was done`, async (t) => {
    const world = fresh();
    const machine = start(t, world, spec);
    const telling = 'make blank: zeroes, 524 MB of 1.0 GB, 50 %';
    t.true(await machine.until(() => machine.status('r-osd').progress === telling));
    t.is(machine.status('r-osd').phase, 'provisioned');
    t.true(await machine.until(() => machine.isReady));
    t.is(world.slot(machine.status('r-osd').mountLocation ?? '')?.stale, undefined);
    const done = { method: 'zeroes', doneBytes: total, encrypted };
    t.deepEqual(machine.status('r-osd').blank, done);
    await machine.stop();
    const next = start(t, world, spec);
    t.true(await next.until(() => next.isReady));
    t.deepEqual(made(world), [], 'once');
    t.deepEqual(next.status('r-osd').blank, done);
  });
}

test('after a crash it goes on from where it was recorded', async (t) => {
  const spec = rawSpec('osd', on, { blank: 'zeroes' });
  const world = await halfway(t, spec);
  const machine = start(t, world, spec);
  t.true(await machine.until(() => machine.isReady));
  t.deepEqual(made(world), [`up to ${total}`]);
  t.deepEqual(world.violations, []);
});

test('what was written through an encryption is written again: the key is another', async (t) => {
  const spec = rawSpec('osd', on, { blank: 'zeroes', encryption: key });
  const world = await halfway(t, spec);
  const machine = start(t, world, spec);
  t.true(await machine.until(() => machine.isReady));
  t.deepEqual(made(world), [`up to ${half}`, `up to ${total}`]);
});

test('what was written through an encryption does not count where there is none any more', async (t) => {
  const world = await halfway(t, rawSpec('osd', on, { blank: 'zeroes', encryption: key }));
  const machine = start(t, world, rawSpec('osd', on, { blank: 'zeroes' }));
  t.true(await machine.until(() => machine.isReady));
  t.deepEqual(made(world), [`up to ${half}`, `up to ${total}`]);
});

test('what was done of another partition does not count', async (t) => {
  const spec = rawSpec('osd', on, { blank: 'zeroes' });
  const world = await halfway(t, spec);
  const record = world.intents.get('r-osd');
  if (record === undefined) throw new TypeError('no record');
  world.intents.set('r-osd', { ...record, partitionGuid: 'another' });
  const machine = start(t, world, spec);
  t.true(await machine.until(() => machine.isReady));
  t.deepEqual(made(world), [`up to ${half}`, `up to ${total}`]);
});

test('a discard that guarantees nothing is refused with what to do, and the volume is not handed over', async (t) => {
  const world = fresh();
  const machine = start(t, world, rawSpec('osd', on, { blank: 'discard' }));
  t.true(await machine.until(() => machine.status('r-osd').phase === 'failed'));
  t.like(machine.status('r-osd'), { errorCode: 'ERR_BLOCK_NO_ZEROES', permanence: 'needs-operator' });
  t.regex(machine.status('r-osd').errorMessage ?? '', /: set provisioning\.blank to zeroes$/);
  const begun = machine.clock.now();
  t.true(await machine.until(() => machine.clock.now() - begun > 600_000));
  t.true(world.changes.length < 50, 'it rests between its attempts');
  machine.manager.apply([rawSpec('osd', on, { blank: 'zeroes' })]);
  t.true(await machine.until(() => machine.isReady));
  t.like(machine.status('r-osd').blank, { method: 'zeroes', doneBytes: total });

  const able = fresh();
  able.discardsToZeroes = true;
  const second = start(t, able, rawSpec('osd', on, { blank: 'discard' }));
  t.true(await second.until(() => second.isReady));
  t.is(able.slot(second.status('r-osd').mountLocation ?? '')?.stale, undefined);
});

test('a raw volume that is to stay as it is is handed over at once, and its status says so', async (t) => {
  const world = fresh();
  const machine = start(t, world, rawSpec('osd', on, { blank: 'none' }));
  t.true(await machine.until(() => machine.isReady));
  t.deepEqual(made(world), []);
  t.deepEqual(machine.status('r-osd').blank, { method: 'none', doneBytes: 0n, encrypted: false });
});

test('a document that goes while its volume is made blank ends that', async (t) => {
  const world = fresh();
  const machine = start(t, world, rawSpec('osd', on, { blank: 'zeroes', encryption: key }));
  t.true(await machine.until(() => made(world).length === 1));
  machine.manager.apply([]);
  t.true(await machine.until(() => machine.manager.statuses().length === 0));
  t.deepEqual(made(world), [`up to ${half}`]);
  t.is(world.slot(opened), undefined);
});
