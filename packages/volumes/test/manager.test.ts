import test from 'ava';

import { FakeDisk } from './fake-disk.ts';
import { FakeWorld } from './fake-world.ts';
import { Machine } from './machine.ts';
import { diskSpec, encryption, userSpec } from './specs.ts';

test('blank disks become mounted volumes', async (t) => {
  const world = new FakeWorld([new FakeDisk('nvme0n1', 10_000), new FakeDisk('sda', 8000)]);
  const machine = new Machine(world, [
    userSpec('data', 'disk.dev_path == "/dev/nvme0n1"', { encryption: encryption() }),
    userSpec('logs', 'disk.dev_path == "/dev/nvme0n1"'),
    diskSpec('db', 'disk.dev_path == "/dev/sda"', { encryption: encryption() }),
  ]);
  t.true(await machine.until(() => machine.isReady), JSON.stringify(machine.manager.statuses(), replacer));
  await machine.stop();
  t.deepEqual(world.violations, []);
  t.is(world.mounted.length, 3);
});

function replacer(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
