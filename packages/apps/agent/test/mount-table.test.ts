import type { StatsFsBase } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import type { Mount } from '@nodecore/block';
import test from 'ava';

import { MountTable } from '../src/machine/mount-table.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const sizes: StatsFsBase<bigint> = {
  type: 0n,
  bsize: 4096n,
  frsize: 4096n,
  blocks: 100n,
  bfree: 60n,
  bavail: 50n,
  files: 20n,
  ffree: 10n,
};

test('a dead file system gets an error in its row, and ties up one thread however often it is asked for', async (t) => {
  const clock = new FakeClock();
  const asked: string[] = [];
  const answer = Promise.withResolvers<StatsFsBase<bigint>>();
  const table = new MountTable({
    clock,
    list: () => Promise.resolve([mount(1, '/'), mount(2, '/dead')]),
    size: (target) => {
      asked.push(target);
      return target === '/dead' ? answer.promise : Promise.resolve(sizes);
    },
  });
  const first = table.read();
  await setImmediate();
  clock.advance(2_000);
  t.like(await first, [
    { target: '/', usedBytes: 163_840n },
    { target: '/dead', error: 'no answer' },
  ]);

  t.like(await table.read(), [{ target: '/' }, { target: '/dead', error: 'no answer' }]);
  t.deepEqual(asked, ['/', '/dead', '/']);

  answer.resolve(sizes);
  await setImmediate();
  t.like(await table.read(), [{ target: '/' }, { target: '/dead', sizeBytes: 409_600n }]);
});

function mount(id: number, target: string): Mount {
  return {
    id,
    parentId: 0,
    deviceNumber: `0:${id}`,
    root: '/',
    target,
    options: ['rw'],
    type: 'nfs4',
    source: 'host:/export',
    superOptions: ['rw'],
  };
}
