import { type Key, type Operation, ResourceError, type State, type StateEvent } from '../src/index.ts';
import { failed, names, refused, type Entry } from './contract-scene.ts';

/** What every driver must do with writes, lists and transactions. */
export function writes(entry: Entry): void {
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

  entry(
    'an update that changes nothing is not written',
    async (t, { state }, kind) => {
      const key = { ...kind, id: 'a' };
      await state.create(key, { x: 1n, y: 0 }, { labels: { a: '' } });
      const { revision } = await state.list(kind);
      const same = await state.update(key, { y: 0, x: 1n }, { version: 1, labels: { a: '' } });
      t.is(same.metadata.version, 1);
      t.is((await state.list(kind)).revision, revision);
      t.is((await state.update(key, { y: 0, x: 1 }, { version: 1 })).metadata.version, 2);
    },
    { isAlone: true },
  );

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
}
