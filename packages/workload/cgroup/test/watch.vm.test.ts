import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root, testWith, virtualNode } from '@nodecore/testkit';

import { watch } from '../src/index.ts';
import { controlGroup } from './control-group.ts';

const test = testWith(root, virtualNode);

test('where the kernel gives no more watches the tree is looked at from time to time, and that is told', async (t) => {
  const limit = '/proc/sys/fs/inotify/max_user_watches';
  const before = readFileSync(limit, 'utf8');
  t.teardown(() => writeFileSync(limit, before));
  writeFileSync(limit, '3');
  const directory = await controlGroup(t);
  for (let index = 0; index < 10; index += 1) mkdirSync(join(directory, `c${index}`));
  const changes = watch(directory, { sampleMs: 10 });
  const first = await changes.next();
  t.is(first.value?.appeared.length, 11);
  t.true(first.value?.sampled);
  mkdirSync(join(directory, 'c9', 'deep'));
  const second = await changes.next();
  t.deepEqual(
    second.value?.appeared.map(({ path }: { path: string }) => path),
    ['/c9/deep'],
  );
  rmdirSync(join(directory, 'c9', 'deep'));
  const third = await changes.next();
  t.deepEqual(
    third.value?.gone.map(({ path }: { path: string }) => path),
    ['/c9/deep'],
  );
  await changes.return?.();
});
