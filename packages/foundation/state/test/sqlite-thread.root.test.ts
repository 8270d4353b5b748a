import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import type { Kind } from '../src/index.ts';
import { sqliteState } from '../src/sqlite/index.ts';

const kind: Kind = { namespace: 'default', type: 'Things.test.nodecore.dev' };
const script = fileURLToPath(new URL('write-on-slow-disk.ts', import.meta.url));

testWith(program('strace'))(
  'the event loop goes on while the disk takes its time for a commit',
  async (t) => {
    const path = join(await temporaryDirectory(t), 'state.db');
    const slow = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:delay_exit=200000'];
    const program = [process.execPath, '--conditions=source', script, path];
    const turns = Number(await output(['strace', '-f', '-o', '/dev/null', ...slow, ...program]));
    t.true(turns > 20, `${turns} turns`);
  },
);

test('a list that is ahead of what was told here waits for it, so that a watch can go on from its revision', async (t) => {
  const state = await sqliteState(join(await temporaryDirectory(t), 'state.db'));
  t.teardown(async () => await state[Symbol.asyncDispose]());
  const writing = state.create({ ...kind, id: 'a' }, 1);
  for (let turns = 0; turns < 3; turns += 1) await turn();
  // The commit ends while nothing is heard here.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  const { resources, revision } = await state.list(kind);
  t.is(resources.length, revision);
  const watch = state.watch({ kind, from: revision });
  const next = watch.next();
  next.catch(() => {}); // it is awaited below
  await writing;
  await state.create({ ...kind, id: 'b' }, 2);
  const { value: batch } = await next;
  t.is(batch?.at(-1)?.revision, 2);
  await watch.return();
});

test('a watch of one key does not repeat what it has shown', async (t) => {
  const state = await sqliteState(join(await temporaryDirectory(t), 'state.db'));
  t.teardown(async () => await state[Symbol.asyncDispose]());
  const key = { ...kind, id: 'a' };
  const writing = state.create(key, 1);
  for (let turns = 0; turns < 3; turns += 1) await turn();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  const watch = state.watch({ key });
  const seen = [...((await watch.next()).value ?? [])];
  await writing;
  await state.update(key, 2, { version: 1 });
  while (!seen.some((event) => 'resource' in event && event.resource.spec === 2))
    seen.push(...((await watch.next()).value ?? []));
  const versions = seen.flatMap((event) => ('resource' in event ? event.resource.metadata.version : []));
  t.deepEqual(versions.slice(-2), [1, 2]);
  t.is(new Set(versions).size, versions.length);
  await watch.return();
});

test('a signal ends the wait for a commit, also of one that is on its way', async (t) => {
  const state = await sqliteState(join(await temporaryDirectory(t), 'state.db'));
  t.teardown(async () => await state[Symbol.asyncDispose]());
  const reason = new Error('not any more');
  const abort = new AbortController();
  const [early, late] = ['early', 'late'].map((id) => state.create({ ...kind, id }, 1, {}, abort.signal));
  abort.abort(reason);
  await t.throwsAsync(early!, { is: reason });
  await t.throwsAsync(late!, { is: reason });
  await state.create({ ...kind, id: 'other' }, 1);
  const ids = (await state.list(kind)).resources.map(({ metadata }) => metadata.id);
  t.deepEqual(ids, ['other'], 'neither was begun');
  const begun = new AbortController();
  const writing = state.create({ ...kind, id: 'begun' }, 1, {}, begun.signal);
  await turn();
  begun.abort(reason);
  await t.throwsAsync(writing, { is: reason });
  await state.create({ ...kind, id: 'next' }, 1);
  t.is((await state.get({ ...kind, id: 'begun' }))?.spec, 1, 'what was begun is not undone');
});
