import test from 'ava';

import { FakeDisk } from './fake-disk.ts';
import { FakeWorld } from './fake-world.ts';
import { Machine } from './machine.ts';
import { userSpec } from './specs.ts';

const on = (id: string): string => `disk.dev_path == "/dev/${id}"`;
const theirs = { kind: 'foreign', type: 'ntfs' } as const;

test('what was done for a volume is known before its next step, whatever becomes of others', async (t) => {
  const disks = [new FakeDisk('sda', 8000), new FakeDisk('sdb', 8000, { region: theirs })];
  const world = new FakeWorld(disks);
  const machine = new Machine(world, [userSpec('data', on('sda')), userSpec('bad', on('sdb'))]);
  t.teardown(() => machine.stop());
  /** How many changes of the machine there were when a watcher was first told of a phase. */
  const told = new Map<string, number>();
  const watching = (async () => {
    for await (const batch of machine.manager.changes())
      for (const { id, phase } of batch)
        if (id === 'u-data' && !told.has(phase)) told.set(phase, world.changes.length);
  })();
  t.true(await machine.until(() => machine.status('u-data').phase === 'ready'));
  await machine.stop();
  await watching;
  const before = (phase: string, step: string): void => {
    const index = world.changes.indexOf(step);
    t.true(index > 0 && (told.get(phase) ?? Infinity) <= index, `${phase} is known before ${step}`);
  };
  before('waiting', 'add u-data to /dev/sda');
  before('provisioned', 'wipe /dev/sda1');
  before('prepared', 'mount /var/mnt/data');
  t.is(told.get('ready'), world.changes.length);
  t.not(machine.status('u-bad').phase, 'ready');
});
