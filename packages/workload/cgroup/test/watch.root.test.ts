import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

import { leakedDescriptors, openDescriptors, root, testWith } from '@nodecore/testkit';

import { type CgroupChanges, watch } from '../src/index.ts';
import { controlGroup } from './control-group.ts';

const test = testWith(root);

async function next(changes: AsyncIterator<CgroupChanges>): Promise<CgroupChanges> {
  const { value, done } = await changes.next();
  if (done === true) throw new Error('the watch ended');
  return value;
}

test('first what there is, then what comes and goes', async (t) => {
  const directory = await controlGroup(t);
  mkdirSync(join(directory, 'a'));
  const changes = watch(directory);
  const first = await next(changes);
  t.deepEqual(
    first.appeared.map(({ path }) => path),
    ['/', '/a'],
  );
  t.false(first.sampled);
  mkdirSync(join(directory, 'a', 'b'));
  t.deepEqual(
    (await next(changes)).appeared.map(({ path }) => path),
    ['/a/b'],
  );
  rmdirSync(join(directory, 'a', 'b'));
  const last = await next(changes);
  t.deepEqual(
    last.gone.map(({ path }) => path),
    ['/a/b'],
  );
  t.deepEqual(last.appeared, []);
  await changes.return?.();
});

test('nothing is missed while everything changes: the sum of all batches is what is there', async (t) => {
  const directory = await controlGroup(t);
  const changes = watch(directory, { settleMs: 1 });
  const known = new Map<number, string>();
  const take = ({ appeared, gone }: CgroupChanges): void => {
    for (const { id, path } of appeared) known.set(id, path);
    for (const { id } of gone) known.delete(id);
  };
  take(await next(changes));
  const expected = new Set(['/']);
  for (let round = 0; round < 200; round += 1) {
    const name = `/c${round}`;
    mkdirSync(join(directory, name));
    mkdirSync(join(directory, name, 'deep'));
    mkdirSync(join(directory, name, 'deep', 'er'));
    if (round % 3 === 0) {
      for (const path of [`${name}/deep/er`, `${name}/deep`, name]) rmdirSync(join(directory, path));
    } else {
      for (const path of [name, `${name}/deep`, `${name}/deep/er`]) expected.add(path);
    }
    // Batches come in the middle of it.
    if (round % 10 === 9) take(await next(changes));
  }
  mkdirSync(join(directory, 'last'));
  expected.add('/last');
  while (![...known.values()].includes('/last')) take(await next(changes));
  t.deepEqual([...known.values()].sort(), [...expected].sort());
  await changes.return?.();
});

test('a watch that is left or aborted ends, and leaves nothing open', async (t) => {
  const directory = await controlGroup(t);
  const before = openDescriptors();
  const left = watch(directory);
  await next(left);
  const waiting = left.next();
  await left.return?.();
  t.deepEqual(await waiting, { done: true, value: undefined });

  const control = new AbortController();
  const aborted = watch(directory, { signal: control.signal });
  await next(aborted);
  const reason = new Error('enough');
  const rejected = t.throwsAsync(aborted.next());
  control.abort(reason);
  t.is(await rejected, reason);
  const ours = (): string[] => leakedDescriptors(before).filter((line) => /inotify|cgroup/.test(line));
  const deadline = performance.now() + 10_000;
  while (ours().length > 0 && performance.now() < deadline) await new Promise(setImmediate);
  t.deepEqual(ours(), []);
});

test('a root that goes ends the watch', async (t) => {
  const directory = await controlGroup(t);
  const path = join(directory, 'a');
  mkdirSync(path);
  const changes = watch(path);
  await next(changes);
  mkdirSync(join(path, 'b'));
  await next(changes);
  rmdirSync(join(path, 'b'));
  rmdirSync(path);
  await t.throwsAsync(
    async () => {
      while (true) await next(changes);
    },
    { code: 'ERR_CGROUP_NOT_FOUND' },
  );
});
