import { isDeepStrictEqual } from 'node:util';

import type { DiskEnvironment, Selector, VolumeEnvironment } from '@nodecore/selector';
import test, { type ExecutionContext } from 'ava';

import type { VolumeSpec } from '../src/index.ts';
import { FakeDisk } from './fake-disk.ts';
import { FakeWorld } from './fake-world.ts';
import { existingSpec, rawSpec } from './kind-specs.ts';
import { Machine } from './machine.ts';
import { diskSpec, userSpec } from './specs.ts';

/** Selectors that compile, and can't be evaluated for any disk. */
const unanswerable: Readonly<Record<string, string>> = {
  'an unknown time zone': 'timestamp("2009-02-13T23:31:30Z").getHours(disk.dev_path) == 0',
  'a division by nothing': '1u / (disk.size - disk.size) == 1u',
};

function start(t: ExecutionContext, specs: readonly VolumeSpec[]): Machine {
  const world = new FakeWorld([new FakeDisk('sda', 8000), new FakeDisk('sdb', 8000)]);
  const machine = new Machine(world, specs);
  t.teardown(() => machine.stop());
  return machine;
}

/** All that is well: volumes of several kinds, whose names come before and after that of the bad one. */
function healthy(): VolumeSpec[] {
  const onA = 'disk.dev_path == "/dev/sda"';
  return [userSpec('a-first', onA), userSpec('good', onA), userSpec('z-last', onA), rawSpec('raw', onA)];
}

async function areReady(machine: Machine, specs: readonly VolumeSpec[]): Promise<boolean> {
  return machine.until(() => specs.every(({ id }) => machine.status(id).phase === 'ready'));
}

/** Whether any of them leaves `ready`, or says something else than before. */
async function disturbed(machine: Machine, specs: readonly VolumeSpec[]): Promise<boolean> {
  const before = specs.map(({ id }) => machine.status(id));
  return machine.until(
    () => specs.some(({ id }, index) => !isDeepStrictEqual(machine.status(id), before[index])),
    5,
  );
}

for (const [title, match] of Object.entries(unanswerable)) {
  test(`a document whose selector can't be evaluated fails no other volume: ${title}`, async (t) => {
    const specs = healthy();
    const machine = start(t, specs);
    t.true(await areReady(machine, specs));
    const bad = userSpec('bad', match);
    machine.manager.apply([...specs, bad]);
    t.false(await disturbed(machine, specs));
    t.is(machine.status('u-bad').phase, 'waiting');
    t.regex(
      machine.status('u-bad').reason ?? '',
      /^no disk matches: sda: expression fails: .+; sdb: expression fails: ./,
    );
    // The next change, which has every volume planned again.
    const next = userSpec('next', 'disk.dev_path == "/dev/sdb"');
    machine.manager.apply([...specs, bad, next]);
    t.false(await disturbed(machine, specs));
    t.true(await areReady(machine, [next]));
    t.deepEqual(machine.manager.seekersOf(new FakeDisk('sdb', 8000).facts), []);
  });

  test(`volumes are made beside a document whose selector can't be evaluated: ${title}`, async (t) => {
    const specs = healthy();
    const machine = start(t, [userSpec('bad', match), diskSpec('bad-disk', match), ...specs]);
    t.true(await areReady(machine, specs));
    t.is(machine.status('u-bad').phase, 'waiting');
    t.is(machine.status('u-bad-disk').phase, 'waiting');
  });
}

function throws(): never {
  throw new RangeError('Maximum call stack size exceeded');
}

test('a selector that throws, which none does, fails no volume at all', async (t) => {
  const specs = healthy();
  const disks: Selector<DiskEnvironment> = { text: 'bad', matches: throws, explain: throws };
  const volumes: Selector<VolumeEnvironment> = { text: 'bad', matches: throws, explain: throws };
  const bad = userSpec('bad', 'true', { disks });
  const existing = { ...existingSpec('bad', 'true'), volumes };
  const machine = start(t, [...specs, bad, existing]);
  t.true(await areReady(machine, specs));
  t.false(await disturbed(machine, specs));
  t.regex(machine.status('u-bad').reason ?? '', /expression fails: Maximum call stack/);
  t.is(machine.status('e-bad').phase, 'waiting');
});

test('a selector that fails on one disk finds its volume on another', async (t) => {
  // False on no disk: an error on sda, true on sdb.
  const match = 'disk.dev_path == "/dev/sda" ? 1u / (disk.size - disk.size) == 1u : true';
  const inVolumes = match.replaceAll('disk.', 'volume.');
  const machine = start(t, [userSpec('data', match), diskSpec('db', 'disk.dev_path == "/dev/sda"')]);
  t.true(await machine.until(() => machine.isReady));
  t.is(machine.status('u-data').parentLocation, '/dev/sdb');
  machine.manager.apply([
    existingSpec('old', `${inVolumes} && volume.type == "disk" && volume.name == "none"`),
  ]);
  t.true(await machine.until(() => machine.status('e-old').phase === 'waiting'));
  t.is(machine.status('e-old').errorCode, undefined);
});
