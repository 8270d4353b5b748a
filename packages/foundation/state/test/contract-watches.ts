import { setImmediate as turn } from 'node:timers/promises';

import { type Operation } from '../src/index.ts';
import { failed, names, read, newKind, type Entry } from './contract-scene.ts';

/** What every driver must show to watches. */
export function watches(entry: Entry): void {
  entry('a watch of one id begins with what there is, or with its tombstone', async (t, { state }, kind) => {
    const key = { ...kind, id: 'a' };
    const watch = state.watch({ key });
    const [first] = await read(watch, 2);
    t.is(first?.type, 'destroyed');
    t.is(first?.type === 'destroyed' ? first.resource.metadata.version : -1, 0);
    await state.create({ ...kind, id: 'ab' }, 0);
    await state.create(key, 1);
    await state.update(key, 2, { version: 1 });
    await state.destroy(key);
    t.deepEqual(names(await read(watch, 3)), ['created a', 'updated a', 'destroyed a']);
    await state.create(key, 5);
    t.deepEqual(names((await state.watch({ key }).next()).value), ['created a', 'bootstrapped']);
    await watch.return?.();
  });

  entry('a watch of a kind begins with its contents or with the marker alone', async (t, { state }, kind) => {
    for (const id of ['b', 'a']) await state.create({ ...kind, id }, id);
    const whole = state.watch({ kind, bootstrap: true });
    t.deepEqual(names(await read(whole, 3)), ['created a', 'created b', 'bootstrapped']);
    const news = state.watch({ kind });
    const [marker] = await read(news, 1);
    t.deepEqual(marker, { type: 'bootstrapped', revision: (await state.list(kind)).revision });
    await state.destroy({ ...kind, id: 'a' });
    for (const watch of [whole, news]) {
      t.deepEqual(names(await read(watch, 1)), ['destroyed a']);
      await watch.return?.();
    }
  });

  entry(
    'a watch that begins while much is written misses nothing and repeats nothing',
    async (t, { state }, kind) => {
      const [total, group] = [10_000, 100];
      const done = Promise.withResolvers<void>();
      const write = async (): Promise<void> => {
        for (let from = 0; from < total; from += group) {
          const operations = Array.from({ length: group }, (_, index): Operation => {
            return { op: 'create', key: { ...kind, id: `${from + index}`.padStart(5, '0') }, spec: from };
          });
          await state.transaction(operations);
          await turn();
        }
      };
      const writing = write().then(done.resolve, done.reject);
      while ((await state.list(kind)).resources.length < total / 10) await turn();
      const seen = new Set<string>();
      let marker = 0;
      let last = 0;
      for await (const batch of state.watch({ kind, bootstrap: true })) {
        for (const event of batch) {
          if (event.type === 'bootstrapped') marker = seen.size;
          else if (event.type !== 'created' || seen.has(event.resource.metadata.id)) t.fail(event.type);
          else seen.add(event.resource.metadata.id);
          if (event.revision < last) t.fail('revisions go back');
          last = event.revision;
        }
        if (seen.size === total) break;
      }
      await writing;
      await done.promise;
      t.true(marker >= total / 10 && marker < total, `${marker} at the marker`);
    },
  );

  entry(
    'who begins to match a query is created for its watch, who stops is destroyed',
    async (t, { state }, kind) => {
      const key = { ...kind, id: 'a' };
      const query = { labels: [{ label: 'in', exists: true }] } as const;
      const watch = state.watch({ kind, query, bootstrap: true });
      await state.create(key, 1);
      t.deepEqual(names(await read(watch, 1)), ['bootstrapped']);
      await state.update(key, 2, { version: 1, labels: { in: '' } });
      await state.update(key, 3, { version: 2 });
      await state.update(key, 3, { version: 3, labels: {} });
      await state.update(key, 5, { version: 4 });
      await state.update(key, 6, { version: 5, labels: { in: 'x' } });
      await state.destroy(key);
      const events = await read(watch, 5);
      t.deepEqual(names(events), ['created a', 'updated a', 'destroyed a', 'created a', 'destroyed a']);
      const left = events[2];
      t.is(left?.type === 'destroyed' ? left.resource.metadata.version : 0, 4, 'shown as it is now');
      await watch.return?.();
    },
  );

  entry('a watch from the revision of a list goes on where the list was', async (t, { state }, kind) => {
    const key = { ...kind, id: 'a' };
    await state.create(key, 0);
    const { revision } = await state.list(kind);
    for (let version = 1; version <= 5; version += 1) await state.update(key, version, { version });
    await state.create({ ...newKind(), id: 'x' }, 0);
    const watch = state.watch({ kind, from: revision });
    const events = await read(watch, 5);
    t.deepEqual(
      events.map((event) => (event.type === 'updated' ? event.resource.spec : event.type)),
      [1, 2, 3, 4, 5],
    );
    const again = state.watch({ kind, from: events[2]?.revision ?? 0 });
    t.deepEqual(await read(again, 2), events.slice(3));
    await watch.return?.();
    await again.return?.();
    await t.throwsAsync(state.watch({ kind, from: 2 ** 40 }).next(), failed('ERR_STATE_FUTURE'));
  });

  entry(
    'a watch from a revision that is forgotten is refused',
    async (t, { state, forget }, kind) => {
      const key = { ...kind, id: 'a' };
      await state.create(key, 0);
      const { revision } = await state.list(kind);
      await state.update(key, 1, { version: 1 });
      await forget(kind, revision);
      await t.throwsAsync(state.watch({ kind, from: revision }).next(), failed('ERR_STATE_COMPACTED'));
    },
    { isAlone: true },
  );

  entry(
    'a reader that is too slow is told, and nothing more is kept for it',
    async (t, subject, kind) => {
      const watch = subject.state.watch({ kind, bootstrap: true });
      t.deepEqual(names(await read(watch, 1)), ['bootstrapped']);
      await subject.state.create({ ...kind, id: 'a' }, 0);
      t.deepEqual(names(await read(watch, 1)), ['created a']);
      await subject.overrun(kind);
      await t.throwsAsync(read(watch, Infinity), failed('ERR_STATE_OVERRUN'));
      t.true((await watch.next()).done);
      t.true((await subject.state.list(kind)).resources.length > 0);
    },
    { isAlone: true },
  );

  entry(
    'a signal ends a watch without an error, and keeps what has not begun from being written',
    async (t, { state }, kind) => {
      const abort = new AbortController();
      const watch = state.watch({ kind }, abort.signal);
      await watch.next();
      const next = watch.next();
      abort.abort();
      t.true((await next).done);
      await t.throwsAsync(state.create({ ...kind, id: 'a' }, 1, {}, abort.signal), { name: 'AbortError' });
      await t.throwsAsync(state.get({ ...kind, id: 'a' }, abort.signal), { name: 'AbortError' });
      t.is(await state.get({ ...kind, id: 'a' }), undefined);
    },
  );
}
