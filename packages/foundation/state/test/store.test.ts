import test from 'ava';

import { ResourceError } from '../src/errors.ts';
import type { Kind, ResourceEvent } from '../src/resource.ts';
import { Store } from '../src/store.ts';

const kind: Kind = { namespace: 'runtime', type: 'Things.test.nodecore.dev' };
const key = { ...kind, id: 'a' };

const code =
  (wanted: string) =>
  (error: unknown): boolean =>
    error instanceof ResourceError && error.code === wanted;

test('a change that changes nothing is not written', (t) => {
  const store = new Store();
  store.create(key, { size: 1n, names: ['x'] });
  const revision = store.revision;
  const same = store.modify(key, () => ({ names: ['x'], size: 1n }));
  t.is(same.metadata.version, 1);
  t.is(store.revision, revision);
  t.is(store.modify(key, () => ({ size: 2n, names: ['x'] })).metadata.version, 2);
  t.is(store.revision, revision + 1);
});

test('versions and owners are checked before anything is written', (t) => {
  const store = new Store();
  store.create(key, 1, { owner: 'one' });
  for (const [wanted, write] of [
    ['ERR_RESOURCE_EXISTS', () => store.create(key, 2)],
    ['ERR_RESOURCE_OWNER', () => store.update(key, 1, 2, { owner: 'two' })],
    ['ERR_RESOURCE_OWNER', () => store.destroy(key)],
    ['ERR_RESOURCE_VERSION', () => store.update(key, 7, 2, { owner: 'one' })],
    ['ERR_RESOURCE_NOT_FOUND', () => store.update({ ...kind, id: 'b' }, 1, 2)],
  ] as const) {
    t.true(code(wanted)(t.throws(write)), wanted);
  }
  t.is(store.get(key)?.spec, 1);
});

test('a resource that somebody needs is torn down but not destroyed', (t) => {
  const store = new Store();
  store.create(key, 1);
  store.addFinalizer(key, 'mounts');
  t.false(store.teardown(key));
  t.true(code('ERR_RESOURCE_FINALIZERS')(t.throws(() => store.destroy(key))));
  t.true(code('ERR_RESOURCE_PHASE')(t.throws(() => store.addFinalizer(key, 'late'))));
  t.true(code('ERR_RESOURCE_PHASE')(t.throws(() => store.update(key, 3, 2))));
  store.removeFinalizer(key, 'mounts');
  t.true(store.teardown(key));
  store.destroy(key);
  t.is(store.get(key), undefined);
});

test('replace leaves exactly what it was given and does not touch what others own', (t) => {
  const store = new Store();
  store.create({ ...kind, id: 'foreign' }, 0, { owner: 'other' });
  store.replace(kind, new Map([['a', 1], ['b', 2]]), 'me'); // prettier-ignore
  store.replace(kind, new Map([['b', 3], ['c', 4]]), 'me'); // prettier-ignore
  t.deepEqual(
    store.list(kind).resources.map(({ metadata, spec }) => [metadata.id, spec, metadata.version]),
    [
      ['b', 3, 2],
      ['c', 4, 1],
      ['foreign', 0, 1],
    ],
  );
});

async function take(events: AsyncGenerator<readonly ResourceEvent[]>, batches: number): Promise<string[]> {
  const names: string[] = [];
  for (let count = 0; count < batches; count += 1) {
    const { value } = await events.next();
    for (const event of value ?? []) {
      names.push('resource' in event ? `${event.type} ${event.resource.metadata.id}` : event.type);
    }
  }
  return names;
}

test('a watch gives what exists, says so, and goes on with every change', async (t) => {
  const store = new Store();
  store.create({ ...kind, id: 'b' }, 1);
  store.create(key, 1);
  const watch = store.watch(kind);
  store.modify(key, () => 2);
  t.deepEqual(await take(watch, 1), ['created a', 'created b', 'bootstrapped']);
  t.deepEqual(await take(watch, 1), ['updated a']);
  const next = take(watch, 1);
  store.destroy(key);
  t.deepEqual(await next, ['destroyed a']);
});

test('a list and a watch from its bookmark miss nothing and repeat nothing', async (t) => {
  const store = new Store();
  store.create(key, 0);
  const { resources, bookmark } = store.list(kind);
  t.is(resources.length, 1);
  for (let value = 1; value <= 5; value += 1) store.modify(key, () => value);
  store.create({ ...kind, type: 'Others.test.nodecore.dev', id: 'x' }, 0);
  const [batch] = [(await store.watch(kind, { after: bookmark }).next()).value ?? []];
  t.deepEqual(
    batch.map((event) => ('resource' in event ? event.resource.spec : event.type)),
    [1, 2, 3, 4, 5],
  );
});

test('a watch of one id sees only this one', async (t) => {
  const store = new Store();
  const watch = store.watch(kind, { id: 'b' });
  store.create(key, 1);
  store.create({ ...kind, id: 'b' }, 1);
  t.deepEqual(await take(watch, 2), ['bootstrapped', 'created b']);
});

test('bookmarks of another run, of the future and older than the history are refused', (t) => {
  const store = new Store({ historyLimit: 8 });
  for (let value = 0; value < 20; value += 1) store.modify(key, () => value);
  const refused = { epoch: 'other', revision: 20 };
  for (const after of [refused, { epoch: store.epoch, revision: 99 }, { epoch: store.epoch, revision: 1 }]) {
    t.true(code('ERR_RESOURCE_BOOKMARK')(t.throws(() => store.watch(kind, { after }))));
  }
  t.notThrows(() => store.watch(kind, { after: { epoch: store.epoch, revision: 19 } }));
});

test('a watcher that falls behind the history is told and ended', async (t) => {
  const store = new Store({ historyLimit: 8 });
  const watch = store.watch(kind);
  t.deepEqual(await take(watch, 1), ['bootstrapped']);
  for (let value = 0; value < 20; value += 1) store.modify(key, () => value);
  t.deepEqual(await take(watch, 1), ['errored']);
  t.true((await watch.next()).done);
});

test('an aborted watch ends without an error', async (t) => {
  const store = new Store();
  const abort = new AbortController();
  const watch = store.watch(kind, { signal: abort.signal });
  await watch.next();
  const next = watch.next();
  abort.abort();
  t.true((await next).done);
});
