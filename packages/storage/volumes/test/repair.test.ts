import test, { type ExecutionContext } from 'ava';

import type { VolumeSpec } from '../src/index.ts';
import { plan } from '../src/plan/plan.ts';
import { FakeDisk } from './fake-disk.ts';
import { FakeWorld } from './fake-world.ts';
import { Machine } from './machine.ts';
import { device, facts, secure, status } from './plan-facts.ts';
import { diskSpec, encryption, userSpec } from './specs.ts';

const on = 'disk.dev_path == "/dev/sda"';

/** A volume that was finished and used, and whose filesystem then suffered. */
async function damaged(
  t: ExecutionContext,
  spec: VolumeSpec,
  damage: 'unclean' | 'broken' | 'lost',
): Promise<{ readonly world: FakeWorld; readonly machine: Machine; readonly device: string }> {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  const before = new Machine(world, [spec]);
  t.true(await before.until(() => before.isReady));
  const { mountLocation = '' } = before.status(spec.id);
  await before.stop();
  world.cutPower();
  world.damages.set(mountLocation, damage);
  const machine = new Machine(world, [spec]);
  t.teardown(() => machine.stop());
  return { world, machine, device: mountLocation };
}

for (const [name, spec] of [
  ['in clear', userSpec('data', on)],
  ['encrypted', userSpec('data', on, { encryption: encryption() })],
  ['on a whole disk', diskSpec('data', on)],
] as const) {
  test(`a volume ${name} that was not unmounted is checked, then mounted, and the status has the record`, async (t) => {
    const { world, machine, device } = await damaged(t, spec, 'unclean');
    t.true(await machine.until(() => machine.isReady));
    t.like(machine.status('u-data').filesystemCheck, { result: 'recovered', durationMs: 3 });
    const order = world.changes.filter((change) => /^(check|mount)/.test(change));
    t.deepEqual(order, [`check ${spec.filesystem?.type} on ${device}`, `mount ${spec.mount?.target}`]);
    t.deepEqual(world.violations, []);
  });
}

test('what the kernel refuses is repaired, and mounted after that', async (t) => {
  const { machine } = await damaged(t, userSpec('data', on), 'broken');
  t.true(await machine.until(() => machine.isReady));
  t.is(machine.status('u-data').filesystemCheck?.result, 'repaired');
});

test('what can not be repaired without a loss is left, and waits for an operator with what was said', async (t) => {
  const { world, machine } = await damaged(t, userSpec('data', on), 'lost');
  const progress: string[] = [];
  void (async () => {
    for await (const batch of machine.manager.changes())
      progress.push(...batch.flatMap((one) => one.progress ?? []));
  })();
  t.true(await machine.until(() => machine.status('u-data').phase === 'failed'));
  t.like(machine.status('u-data'), {
    failedPhase: 'prepared',
    errorCode: 'ERR_VOLUME_DAMAGED',
    permanence: 'needs-operator',
    errorMessage: 'can not be repaired (it said: no root)',
  });
  t.false(world.changes.some((change) => /check|mkfs|wipe|mount/.test(change)));
  t.true(progress.some((line) => line === 'check xfs: pass 1 of 5, 50 %'));
  // Somebody repairs it by hand: the next look finds it well.
  world.damages.clear();
  world.tell();
  t.true(await machine.until(() => machine.isReady));
});

test('a clean filesystem is not checked, and a new one neither', async (t) => {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  const machine = new Machine(world, [userSpec('data', on)]);
  t.teardown(() => machine.stop());
  t.true(await machine.until(() => machine.isReady));
  t.false(world.changes.some((change) => change.startsWith('check')));
  t.is(machine.status('u-data').filesystemCheck, undefined);
});

test('nothing is checked that is mounted, read-only by nature, or whose parent is not there', (t) => {
  const spec = userSpec('data', on);
  const prepared = status(spec, { phase: 'prepared', mountLocation: '/dev/sda1' });
  const filesystem = { kind: 'filesystem', type: 'xfs', uuid: 'u', label: 'data' } as const;
  const intents = {
    available: true,
    record: { volumeId: 'u-data', type: 'partition', phase: 'done', disk: {} },
  } as never;
  const known = { sound: 'unknown', target: 'free', intents } as const;
  const next = (change: object, on = device({ content: filesystem })) =>
    plan(spec, prepared, facts({ ...known, device: on, ...change })).kind;
  t.is(next({}), 'checkFilesystem');
  t.is(next({ sound: 'refused' }), 'checkFilesystem');
  t.is(next({ sound: 'checked' }), 'mount');
  t.is(next({ sound: 'proven' }), 'mount');
  t.is(next({ parentMounted: false }), 'wait');
  t.is(next({ target: { source: '/dev/sda1', ours: true, flags: secure } }), 'adoptMount');
  t.is(next({}, device({ content: filesystem, mountedAt: ['/mnt'] })), 'mount');
});
