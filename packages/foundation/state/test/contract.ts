import { setImmediate as turn } from 'node:timers/promises';

import type { ExecutionContext } from 'ava';

import {
  type Json,
  type Key,
  type Kind,
  type Operation,
  ResourceError,
  type ResourceErrorCode,
  type State,
  StateError,
  type StateErrorCode,
  type StateEvent,
} from '../src/index.ts';

/** A driver and what the cases need of it beside the interface. */
export type Subject = {
  readonly state: State;
  /** Sees to it that the changes of the kind after `revision` are not known any more. */
  readonly forget: (kind: Kind, revision: number) => Promise<void>;
  /** Changes the kind by more than what is kept for a watch that nobody reads. */
  readonly overrun: (kind: Kind) => Promise<void>;
};

/** Each case has a kind of its own, so that the cases of one driver share a store. */
export type Open = (t: ExecutionContext) => Promise<Subject>;

/** `test` of ava, or one with needs. */
export type Test = (title: string, body: (t: ExecutionContext) => Promise<void>) => void;

let kinds = 0;

function newKind(): Kind {
  kinds += 1;
  return { namespace: 'contract', type: `Case${kinds}s.test.nodecore.dev` };
}

const refused = (code: ResourceErrorCode) => ({ instanceOf: ResourceError, code });
const failed = (code: StateErrorCode) => ({ instanceOf: StateError, code });

/** `created a`, `bootstrapped`. */
function names(batch: readonly StateEvent[]): string[] {
  return batch.map((event) =>
    event.type === 'bootstrapped' ? event.type : `${event.type} ${event.resource.metadata.id}`,
  );
}

/** Reads until there are so many events. */
async function read(watch: AsyncIterator<readonly StateEvent[]>, count: number): Promise<StateEvent[]> {
  const events: StateEvent[] = [];
  while (events.length < count) {
    const { value, done } = await watch.next();
    if (done === true) break;
    events.push(...value);
  }
  return events;
}

/** So many new resources of a kind, in transactions of 100. */
export async function createMany(state: State, kind: Kind, count: number, spec: Json = 0): Promise<void> {
  for (let from = 0; from < count; from += 100) {
    const ids = Array.from({ length: 100 }, (_, index) => String(from + index).padStart(5, '0'));
    await state.transaction(ids.map((id): Operation => ({ op: 'create', key: { ...kind, id }, spec })));
  }
}

/** The cases that every driver of {@link State} must pass. */
export function contract(test: Test, driver: string, open: Open): void {
  const entry = (
    title: string,
    body: (t: ExecutionContext, subject: Subject, kind: Kind) => Promise<void>,
  ) => {
    test(`${driver}: ${title}`, async (t) => await body(t, await open(t), newKind()));
  };

  entry('what is created is read, once, with its spec as it was written', async (t, { state }, kind) => {
    const key = { ...kind, id: 'a/b' };
    const spec = {
      small: 1,
      smallBig: 1n,
      big: 2n ** 63n,
      wide: 2 ** 60,
      zero: -0,
      text: '12345678901234567890 1e0',
      list: [null, true, { '': [] }],
      [JSON.parse('"__proto__"') as string]: { x: '\ud800' },
    };
    const labels = { 'x/y': 'z' };
    const made = await state.create(key, spec, { owner: 'one', labels, annotations: { note: '' } });
    t.deepEqual(made, await state.get(key));
    t.deepEqual(made.spec, spec);
    t.is(typeof (made.spec as { smallBig: unknown }).smallBig, 'bigint');
    const { version, owner, phase, finalizers, annotations } = made.metadata;
    t.deepEqual(
      { version, owner, phase, finalizers, labels: made.metadata.labels, annotations },
      { version: 1, owner: 'one', phase: 'running', finalizers: [], labels, annotations: { note: '' } },
    );
    await t.throwsAsync(state.create(key, {}), refused('ERR_RESOURCE_EXISTS'));
    t.is(await state.get({ ...kind, id: 'a' }), undefined);
  });

  entry('what a writer does with its object afterwards changes nothing', async (t, { state }, kind) => {
    const key = { ...kind, id: 'a' };
    const spec = { list: [1] };
    const writing = state.create(key, spec);
    spec.list.push(2);
    await writing;
    const read = (await state.get(key))?.spec as { list: number[] };
    try {
      read.list.push(3);
    } catch {} // frozen where it is shared
    t.deepEqual((await state.get(key))?.spec, { list: [1] });
  });

  entry(
    'an update names the version, the owner and the phase it was made from',
    async (t, { state }, kind) => {
      const key = { ...kind, id: 'a' };
      await t.throwsAsync(state.update(key, 1, { version: 1 }), refused('ERR_RESOURCE_NOT_FOUND'));
      await state.create(key, 1, { owner: 'one', labels: { a: 'b' } });
      await t.throwsAsync(state.update(key, 2, { version: 1, owner: 'two' }), refused('ERR_RESOURCE_OWNER'));
      await t.throwsAsync(state.update(key, 2, { version: 1 }), refused('ERR_RESOURCE_OWNER'));
      await t.throwsAsync(
        state.update(key, 2, { version: 7, owner: 'one' }),
        refused('ERR_RESOURCE_VERSION'),
      );
      const tearing = { version: 1, owner: 'one', phase: 'tearingDown' } as const;
      await t.throwsAsync(state.update(key, 2, tearing), refused('ERR_RESOURCE_PHASE'));
      const two = await state.update(key, 2, { version: 1, owner: 'one' });
      t.deepEqual([two.spec, two.metadata.version, two.metadata.labels], [2, 2, { a: 'b' }]);
      await t.throwsAsync(
        state.update(key, 3, { version: 1, owner: 'one' }),
        refused('ERR_RESOURCE_VERSION'),
      );
      await state.teardown(key, { owner: 'one' });
      await t.throwsAsync(state.update(key, 4, { version: 3, owner: 'one' }), refused('ERR_RESOURCE_PHASE'));
      t.is((await state.update(key, 4, { ...tearing, version: 3 })).spec, 4);
    },
  );

  entry('an update that changes nothing is not written', async (t, { state }, kind) => {
    const key = { ...kind, id: 'a' };
    await state.create(key, { x: 1n, y: 0 }, { labels: { a: '' } });
    const { revision } = await state.list(kind);
    const same = await state.update(key, { y: 0, x: 1n }, { version: 1, labels: { a: '' } });
    t.is(same.metadata.version, 1);
    t.is((await state.list(kind)).revision, revision);
    t.is((await state.update(key, { y: 0, x: 1 }, { version: 1 })).metadata.version, 2);
  });

  entry(
    'a finalizer holds back the end, and is not added to what is being torn down',
    async (t, { state }, kind) => {
      const key = { ...kind, id: 'a' };
      await state.create(key, 1, { owner: 'one' });
      t.deepEqual((await state.addFinalizers(key, ['x', 'y', 'x'])).metadata.finalizers, ['x', 'y']);
      t.is((await state.addFinalizers(key, ['y'])).metadata.version, 2);
      await t.throwsAsync(state.teardown(key), refused('ERR_RESOURCE_OWNER'));
      t.false(await state.teardown(key, { owner: 'one' }));
      t.false(await state.teardown(key, { owner: 'one' }));
      t.is((await state.get(key))?.metadata.phase, 'tearingDown');
      await t.throwsAsync(state.destroy(key, { owner: 'one' }), refused('ERR_RESOURCE_FINALIZERS'));
      await t.throwsAsync(state.addFinalizers(key, ['z']), refused('ERR_RESOURCE_PHASE'));
      t.deepEqual((await state.removeFinalizers(key, ['x', 'q'])).metadata.finalizers, ['y']);
      await state.removeFinalizers(key, ['y']);
      t.true(await state.teardown(key, { owner: 'one' }));
      await t.throwsAsync(state.destroy(key), refused('ERR_RESOURCE_OWNER'));
      await t.throwsAsync(state.destroy(key, { owner: 'one', version: 1 }), refused('ERR_RESOURCE_VERSION'));
      await state.destroy(key, { owner: 'one' });
      t.is(await state.get(key), undefined);
      await t.throwsAsync(state.destroy(key), refused('ERR_RESOURCE_NOT_FOUND'));
      t.is((await state.create(key, 2)).metadata.version, 1);
    },
  );

  entry('a list is sorted by id and has what the query asks for', async (t, { state }, kind) => {
    const make = (id: string, labels: Record<string, string>): Promise<unknown> =>
      state.create({ ...kind, id }, id, { labels });
    await make('b2', { role: 'worker', zone: 'x' });
    await make('a1', { role: 'control', zone: 'x' });
    await make('\u{10000}', {});
    await make('\ue000', { role: '' });
    const ids = async (query: Parameters<State['list']>[1]): Promise<string[]> =>
      (await state.list(kind, query)).resources.map(({ metadata }) => metadata.id);
    t.deepEqual(await ids({}), ['a1', 'b2', '\u{10000}', '\ue000']);
    t.deepEqual(await ids({ labels: [{ label: 'role', equals: 'worker' }] }), ['b2']);
    t.deepEqual(await ids({ labels: [{ label: 'role', exists: true }] }), ['a1', 'b2', '\ue000']);
    t.deepEqual(await ids({ labels: [{ label: 'role', exists: true, not: true }] }), ['\u{10000}']);
    t.deepEqual(await ids({ labels: [{ label: 'role', in: ['control', ''] }] }), ['a1', '\ue000']);
    t.deepEqual(await ids({ labels: [{ label: 'zone', equals: 'x', not: true }] }), ['\u{10000}', '\ue000']);
    t.deepEqual(await ids({ labels: [{ label: 'toString', exists: true }] }), []);
    const [worker, empty] = [
      { label: 'role', equals: 'worker' },
      { label: 'role', equals: '' },
    ] as const;
    t.deepEqual(await ids({ anyOf: [[worker], [empty]] }), ['b2', '\ue000']);
    t.deepEqual(await ids({ labels: [{ label: 'zone', exists: true }], anyOf: [[worker], [empty]] }), ['b2']);
    t.deepEqual(await ids({ ids: [{ matches: /^[ab]/g }] }), ['a1', 'b2']);
    t.deepEqual(await ids({ ids: [{ prefix: 'a', not: true }, { in: ['a1', 'b2'] }] }), ['b2']);
  });

  entry('of two that write from one version, one wins', async (t, { state }, kind) => {
    const key = { ...kind, id: 'a' };
    await state.create(key, 0);
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map((value) => state.update(key, value, { version: 1 })),
    );
    const won = results.filter(({ status }) => status === 'fulfilled');
    t.is(won.length, 1);
    for (const result of results) {
      if (result.status === 'rejected') t.is((result.reason as ResourceError).code, 'ERR_RESOURCE_VERSION');
    }
    t.is((await state.get(key))?.metadata.version, 2);
  });

  entry('finalizers that many add and remove together all come and go', async (t, { state }, kind) => {
    const key = { ...kind, id: 'a' };
    await state.create(key, 0);
    const who = Array.from({ length: 8 }, (_, index) => `f${index}`);
    await Promise.all(who.map((name) => state.addFinalizers(key, [name])));
    t.deepEqual((await state.get(key))?.metadata.finalizers.toSorted(), who);
    await Promise.all(who.map((name) => state.removeFinalizers(key, [name])));
    t.true(await state.teardown(key));
  });

  entry('a transaction is written as a whole and seen in one batch', async (t, { state }, kind) => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ ...kind, id })) as [Key, Key, Key];
    await state.create(a, 1);
    const { revision } = await state.list(kind);
    const watch = state.watch({ kind, from: revision });
    const committed = await state.transaction([
      { op: 'update', key: a, spec: 2, version: 1 },
      { op: 'create', key: b, spec: 1, owner: 'x' },
      { op: 'expect', key: c, version: 0 },
    ]);
    t.true(committed.revision > revision);
    t.deepEqual(committed.resources.map(({ spec }) => spec), [2, 1, null]); // prettier-ignore
    const batch = (await watch.next()).value as readonly StateEvent[];
    t.deepEqual(names(batch).toSorted(), ['created b', 'updated a']);
    t.true(batch.every((event) => event.revision === committed.revision));
    await watch.return?.();
  });

  entry('a transaction of which one part is refused writes nothing', async (t, { state }, kind) => {
    const [a, b] = ['a', 'b'].map((id) => ({ ...kind, id })) as [Key, Key];
    await state.create(a, 1);
    const before = await state.list(kind);
    const create: Operation = { op: 'create', key: b, spec: 1 };
    for (const [code, bad] of [
      ['ERR_RESOURCE_VERSION', { op: 'update', key: a, spec: 2, version: 3 }],
      ['ERR_RESOURCE_VERSION', { op: 'expect', key: a, version: 0 }],
      ['ERR_RESOURCE_OWNER', { op: 'destroy', key: a, owner: 'x' }],
      ['ERR_RESOURCE_EXISTS', { op: 'create', key: a, spec: 2 }],
    ] as const) {
      await t.throwsAsync(state.transaction([create, bad]), refused(code), code);
      await t.throwsAsync(state.transaction([bad, create]), refused(code), code);
    }
    await t.throwsAsync(state.transaction([create, create]), failed('ERR_STATE_INVALID'));
    t.deepEqual((await state.list(kind)).resources, before.resources);
  });

  entry('what no driver could keep is refused before anything is written', async (t, { state }, kind) => {
    for (const key of [
      { ...kind, id: '' },
      { ...kind, id: 'a\n' },
      { ...kind, id: '\ud800' },
      { ...kind, id: 'a'.repeat(600) },
      { ...kind, type: 'a/b', id: 'a' },
      { ...kind, namespace: '', id: 'a' },
    ]) {
      await t.throwsAsync(state.create(key, 1), failed('ERR_STATE_INVALID'), JSON.stringify(key));
      await t.throwsAsync(state.get(key), failed('ERR_STATE_INVALID'));
    }
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    for (const spec of [Number.NaN, () => 1, new Map(), deep, { x: Symbol('x') }, undefined]) {
      await t.throwsAsync(state.create({ ...kind, id: 'a' }, spec as never), failed('ERR_STATE_INVALID'));
    }
    t.deepEqual((await state.list(kind)).resources, []);
  });

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

  entry('a watch from a revision that is forgotten is refused', async (t, { state, forget }, kind) => {
    const key = { ...kind, id: 'a' };
    await state.create(key, 0);
    const { revision } = await state.list(kind);
    await state.update(key, 1, { version: 1 });
    await forget(kind, revision);
    await t.throwsAsync(state.watch({ kind, from: revision }).next(), failed('ERR_STATE_COMPACTED'));
  });

  entry('a reader that is too slow is told, and nothing more is kept for it', async (t, subject, kind) => {
    const watch = subject.state.watch({ kind, bootstrap: true });
    t.deepEqual(names(await read(watch, 1)), ['bootstrapped']);
    await subject.state.create({ ...kind, id: 'a' }, 0);
    t.deepEqual(names(await read(watch, 1)), ['created a']);
    await subject.overrun(kind);
    await t.throwsAsync(read(watch, Infinity), failed('ERR_STATE_OVERRUN'));
    t.true((await watch.next()).done);
    t.true((await subject.state.list(kind)).resources.length > 0);
  });

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
