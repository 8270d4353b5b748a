import test from 'ava';

import { FakeDisk } from './fake-disk.ts';
import { FakeWorld } from './fake-world.ts';
import { growing } from './growing.ts';
import { Machine } from './machine.ts';
import { encryption, type Mounted } from './specs.ts';

const spec = (maxMiB: number, change: Partial<Mounted> = {}): Mounted => ({
  ...growing('/var/mnt/data', 'disk.transport == "virtio"', maxMiB),
  ...change,
});

test('a new limit grows partition, mapping and filesystem, in this order and once', async (t) => {
  const world = new FakeWorld([new FakeDisk('vdb', 4096)]);
  const locked = encryption();
  const machine = new Machine(world, [spec(500, { encryption: locked })]);
  t.true(await machine.until(() => machine.isReady));
  t.deepEqual(
    world.changes.filter((change) => change.startsWith('grow')),
    [],
    'what was just made fills its place',
  );
  machine.manager.apply([spec(900, { encryption: locked })]);
  t.true(await machine.until(() => machine.status('u-data').size === 900n << 20n));
  await machine.stop();
  t.deepEqual(
    world.changes.filter((change) => change.startsWith('grow')),
    ['grow partition u-data', 'grow mapping luks2-u-data', 'grow xfs on /dev/mapper/luks2-u-data'],
  );
  t.deepEqual(world.violations, []);
});

test('a disk that grows while its volume is in use gives it the room at once', async (t) => {
  const disk = new FakeDisk('vdb', 4096);
  const world = new FakeWorld([disk]);
  const machine = new Machine(world, [growing('/var/mnt/data', 'disk.transport == "virtio"')]);
  t.true(await machine.until(() => machine.isReady));
  disk.facts = { ...disk.facts, size: 8192n << 20n };
  world.tell();
  t.true(await machine.until(() => machine.status('u-data').size === 8190n << 20n));
  await machine.stop();
  t.like(machine.status('u-data'), { phase: 'ready', reason: undefined });
  t.deepEqual(world.violations, []);
});

test('what can not grow stays in use and says why, and the next start tries again', async (t) => {
  const world = new FakeWorld([new FakeDisk('vdb', 4096)]);
  const machine = new Machine(world, [spec(500)]);
  t.true(await machine.until(() => machine.isReady));
  world.growsNothing = true;
  machine.manager.apply([spec(900)]);
  t.true(await machine.until(() => machine.status('u-data').reason !== undefined));
  t.like(machine.status('u-data'), { phase: 'ready', reason: 'did not grow: the tool said no' });
  await machine.stop();
  world.growsNothing = false;
  const next = new Machine(world, [spec(900)]);
  t.true(await next.until(() => world.changes.includes('grow xfs on /dev/vdb1')));
  await next.stop();
  t.like(next.status('u-data'), { phase: 'ready', reason: undefined, size: 900n << 20n });
});

test('a volume does not grow past what is behind it', async (t) => {
  const world = new FakeWorld([new FakeDisk('vdb', 2048)]);
  const other = spec(300);
  const second = { ...other, id: 'u-more', mount: { ...other.mount, target: '/var/mnt/more' } };
  const machine = new Machine(world, [spec(500), second]);
  t.true(await machine.until(() => machine.isReady));
  machine.manager.apply([spec(1900), second]);
  await machine.until(() => false, 2);
  t.deepEqual(
    world.partitions().map(({ label, size }) => [label, size >> 20n]),
    [
      ['u-more', 300n],
      ['u-data', 1746n],
    ],
  );
  await machine.stop();
  t.deepEqual(world.violations, []);
});
