import { fieldsOf, type Json, memoryState, Store } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { aborted } from '@nodecore/waiting';
import test from 'ava';

import {
  type Access,
  atStart,
  type Controller,
  controllerItems,
  lookAgain,
  type Outside,
  Runtime,
  together,
  waitFor,
} from '../src/index.ts';
import { disks, ids, key, mounts, reasons, run, until, volumes } from './scene.ts';

const idle: Controller = {
  name: 'idle',
  inputs: [{ ...disks, strength: 'weak' }],
  outputs: [],
  reconcile: async () => {},
};

test('what contradicts itself, or another controller, is refused by name when it is registered', (t) => {
  const state = memoryState();
  const runtime = new Runtime({ state });
  runtime.register({ ...idle, name: 'writer', outputs: [{ ...volumes, mode: 'exclusive' }] });
  runtime.register({ ...idle, name: 'sharer', outputs: [{ ...mounts, mode: 'shared' }] });
  const refused = (controller: Partial<Controller>, code: string): void =>
    void t.throws(() => runtime.register({ ...idle, ...controller }), { code }, JSON.stringify(controller));
  refused({ name: 'writer' }, 'ERR_RUNTIME_NAME_TAKEN');
  refused({ outputs: [{ ...volumes, mode: 'exclusive' }] }, 'ERR_RUNTIME_OUTPUT_TAKEN');
  refused({ outputs: [{ ...volumes, mode: 'shared' }] }, 'ERR_RUNTIME_OUTPUT_TAKEN');
  refused({ outputs: [{ ...mounts, mode: 'exclusive' }] }, 'ERR_RUNTIME_OUTPUT_TAKEN');
  refused({ name: 'a:b' }, 'ERR_RUNTIME_DECLARATION');
  refused({ inputs: [] }, 'ERR_RUNTIME_DECLARATION');
  refused({ inputs: [{ ...disks, strength: 'awaiting-destruction' }] }, 'ERR_RUNTIME_DECLARATION');
  const own = { ...mounts, strength: 'strong' } as const;
  refused({ inputs: [own], outputs: [{ ...mounts, mode: 'shared' }] }, 'ERR_RUNTIME_DECLARATION');
  t.notThrows(() => runtime.register({ ...idle, name: 'second', outputs: [{ ...mounts, mode: 'shared' }] }));
});

test('the graph has every edge of every controller', (t) => {
  const runtime = new Runtime({ state: memoryState() });
  const inputs = [
    { ...disks, strength: 'strong' },
    { ...mounts, id: '/var', strength: 'weak' },
  ] as const;
  runtime.register({ ...idle, name: 'volumes', inputs, outputs: [{ ...volumes, mode: 'exclusive' }] });
  t.deepEqual(runtime.dependencies, [
    { controller: 'volumes', ...disks, direction: 'input', strength: 'strong' },
    { controller: 'volumes', ...mounts, direction: 'input', strength: 'weak', id: '/var' },
    { controller: 'volumes', ...volumes, direction: 'output', mode: 'exclusive' },
  ]);
});

test('a read or write outside the declaration throws, and changes nothing', async (t) => {
  const seen: string[] = [];
  const attempt = async (name: string, call: () => Promise<unknown>): Promise<void> => {
    const error = await t.throwsAsync(call, { code: 'ERR_RUNTIME_UNDECLARED' }, name);
    seen.push(`${name}: ${error?.message}`);
  };
  const controller: Controller = {
    name: 'trespasser',
    inputs: [
      { ...disks, strength: 'weak' },
      { ...mounts, id: '/var', strength: 'strong' },
    ],
    outputs: [{ ...volumes, mode: 'exclusive' }],
    reconcile: async (item, access) => {
      await attempt('write', () => access.modify(key(disks, item), () => 'changed'));
      await attempt('teardown', () => access.teardown(key(disks, item)));
      await attempt('destroy', () => access.destroy(key(disks, item)));
      await attempt('hold', () => access.hold(key(disks, item)));
      await attempt('hold another', () => access.hold(key(mounts, '/home')));
      await attempt('read', () => access.get(key(mounts, '/home')));
      await attempt('list', () => access.list(mounts));
      await access.modify(key(volumes, 'end'), () => null);
    },
  };
  const { state, failures } = run(t, [controller]);
  await state.create(key(disks, 'sda'), 'as it was');
  await until(state, volumes, (specs) => specs.has('end'));
  t.is(seen.length, 7);
  t.is(
    seen[0],
    `write: controller trespasser: writes storage/${disks.type}/sda, which is none of its outputs`,
  );
  t.like(await state.get(key(disks, 'sda')), {
    spec: 'as it was',
    metadata: { version: 1, phase: 'running', finalizers: [] },
  });
  t.deepEqual(failures, []);
});

test('what a controller writes is its own, and what others own is left alone', async (t) => {
  const controller: Controller = {
    name: 'writer',
    inputs: [{ ...disks, strength: 'weak' }],
    outputs: [{ ...volumes, mode: 'shared' }],
    reconcile: async (item, access) => void (await access.modify(key(volumes, item), () => 'mine')),
  };
  const { state, failures } = run(t, [controller]);
  await state.create(key(volumes, 'b'), 'theirs', { owner: 'somebody' });
  await state.create(key(disks, 'b'), null);
  await state.create(key(disks, 'a'), null);
  await until(state, volumes, (specs) => specs.has('a'));
  t.is((await state.get(key(volumes, 'a')))?.metadata.owner, 'writer');
  t.is((await state.get(key(volumes, 'b')))?.spec, 'theirs');
  t.like(failures, [{ name: 'writer', item: 'b', error: { code: 'ERR_RESOURCE_OWNER' } }]);
});

test('the access of a reconciliation that has ended writes nothing any more', async (t) => {
  let kept: Access | undefined;
  const controller: Controller = {
    name: 'forgetful',
    inputs: [{ ...disks, strength: 'weak' }],
    outputs: [{ ...volumes, mode: 'exclusive' }],
    reconcile: async (_, access) => {
      kept = access;
      await access.modify(key(volumes, 'done'), () => null);
    },
  };
  const { state, stop } = run(t, [controller]);
  await state.create(key(disks, 'sda'), null);
  await until(state, volumes, (specs) => specs.has('done'));
  await stop();
  await t.throwsAsync(async () => kept?.modify(key(volumes, 'late'), () => null), {
    code: 'ERR_RUNTIME_ENDED',
  });
  t.deepEqual(await ids(state, volumes), ['done']);
});

test('what waits has a resource that says for what and since when, until it is done', async (t) => {
  const controller: Controller = {
    name: 'volumes',
    inputs: [{ ...disks, strength: 'weak' }],
    outputs: [],
    reconcile: async (item, access) => {
      const disk = await access.get(key(disks, item));
      if (disk?.spec === 'broken') throw new TypeError('the disk makes noises');
      return disk?.spec === 'small' ? waitFor('the disk is too small') : undefined;
    },
  };
  const { state, clock } = run(t, [controller]);
  await state.create(key(disks, 'sda'), 'small');
  await until(state, controllerItems, (specs) => specs.has('volumes:sda'));
  const sinceMs = clock.now();
  const item = { controller: 'volumes', item: 'sda' };
  t.deepEqual(
    await reasons(state),
    new Map([
      ['volumes:sda', { ...item, phase: 'waiting', reason: 'the disk is too small', failures: 0, sinceMs }],
    ]),
  );
  const waiting = { labels: [{ label: 'waiting', exists: true } as const] };
  t.is((await state.list(controllerItems, waiting)).resources.length, 1);
  clock.advance(5000);
  await state.update(key(disks, 'sda'), 'broken', { version: 1 });
  const failing = { ...item, phase: 'failing', reason: 'the disk makes noises', sinceMs: clock.now() };
  const isFailing = (failures: number) => (specs: ReadonlyMap<string, unknown>) =>
    (specs.get('volumes:sda') as typeof failing & { failures: number }).failures === failures;
  await until(state, controllerItems, isFailing(1));
  t.deepEqual(await reasons(state), new Map([['volumes:sda', { ...failing, failures: 1 }]]));
  clock.advance(1000);
  await until(state, controllerItems, isFailing(2));
  t.deepEqual(await reasons(state), new Map([['volumes:sda', { ...failing, failures: 2 }]]));
  await state.update(key(disks, 'sda'), 'fine', { version: 2 });
  await until(state, controllerItems, (specs) => specs.size === 0);
  t.deepEqual(await ids(state, controllerItems), []);
});

test('what each controller did is counted: how often it looked, and how often it failed', async (t) => {
  const [state, clock, stopping] = [memoryState(new Store()), new FakeClock(), new AbortController()];
  const runtime = new Runtime({ state, clock, random: () => 0 });
  const failing: Controller = {
    ...idle,
    name: 'failing',
    reconcile: async () => {
      throw new Error('not now');
    },
  };
  for (const controller of [idle, failing]) runtime.register(controller);
  const countsOf = (): unknown => runtime.counts.map(({ controller, ...rest }) => [controller, rest]);
  const none = { runs: 0, failures: 0 };
  t.deepEqual(countsOf(), [
    ['idle', none],
    ['failing', none],
  ]);
  const running = runtime.run(stopping.signal);
  t.teardown(async () => {
    stopping.abort();
    await running;
  });
  await state.create(key(disks, 'sda'), null);
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.advance(1000);
  await until(
    state,
    controllerItems,
    (specs) => fieldsOf(specs.get('failing:sda') as Json)['failures'] === 2,
  );
  while (clock.sleepers === 0) await new Promise(setImmediate);
  t.deepEqual(countsOf(), [
    ['idle', { runs: 1, failures: 0 }],
    ['failing', { runs: 2, failures: 2 }],
  ]);
});

test('what is right for now is looked at again when its time has come, and has no reason to wait', async (t) => {
  const controller: Controller = {
    name: 'probes',
    inputs: [{ ...disks, strength: 'weak' }],
    outputs: [{ ...volumes, mode: 'exclusive' }],
    reconcile: async (item, access) => {
      await access.modify(key(volumes, item), (looks) => Number(looks ?? 0) + 1);
      return lookAgain(5000);
    },
  };
  const { state, clock } = run(t, [controller]);
  await state.create(key(disks, 'sda'), null);
  await until(state, volumes, (specs) => specs.get('sda') === 1);
  while (clock.sleepers === 0) await new Promise(setImmediate);
  t.deepEqual(await ids(state, controllerItems), []);
  clock.advance(4999);
  t.is(clock.sleepers, 1, 'not yet');
  clock.advance(1);
  await until(state, volumes, (specs) => specs.get('sda') === 2);
  t.deepEqual(await ids(state, controllerItems), []);
});

test('of what wakes side by side, all end when one fails, and all begin again', async (t) => {
  const begun: string[] = [];
  let fail: (() => void) | undefined;
  const steady: Outside = async (_, signal) => {
    begun.push('steady');
    await aborted(signal);
    begun.push('steady ends');
  };
  const failing: Outside = async (wake) => {
    begun.push('failing');
    wake('one');
    await new Promise<void>((_, reject) => (fail = () => reject(new Error('the bus is gone'))));
  };
  const controller: Controller = {
    name: 'buses',
    inputs: [],
    outputs: [{ ...volumes, mode: 'exclusive' }],
    outside: together(steady, failing),
    reconcile: async (item, access) => {
      await access.modify(key(volumes, item), (runs) => Number(runs ?? 0) + 1);
    },
  };
  const { state, clock, failures, stop } = run(t, [controller]);
  await until(state, volumes, (specs) => specs.get('one') === 1);
  fail?.();
  while (clock.sleepers === 0) await new Promise(setImmediate);
  t.deepEqual(begun, ['steady', 'failing', 'steady ends']);
  t.like(failures[0]?.error, { message: 'the bus is gone' });
  clock.advance(1000);
  await until(state, volumes, (specs) => specs.get('one') === 2);
  t.deepEqual(begun.slice(3), ['steady', 'failing']);
  fail?.();
  await stop();
});

test('a change wakes the items of the resource as it was and as it is, also when it leaves the query', async (t) => {
  const woken: string[] = [];
  const controller: Controller = {
    name: 'by-volume',
    inputs: [
      {
        ...disks,
        strength: 'weak',
        query: { labels: [{ label: 'used', exists: true }] },
        items: ({ spec }) => [spec as string],
      },
    ],
    outputs: [{ ...mounts, mode: 'exclusive' }],
    reconcile: async (item, access) => {
      woken.push(item);
      await access.modify(key(mounts, item), () => woken.length);
    },
  };
  const { state } = run(t, [controller]);
  const sda = key(disks, 'sda');
  const count = (n: number): Promise<void> =>
    until(state, mounts, (specs) => Math.max(0, ...([...specs.values()] as number[])) >= n);
  await state.create(key(disks, 'sdb'), 'never', {});
  await state.create(sda, 'data', { labels: { used: '' } });
  await count(1);
  await state.update(sda, 'logs', { version: 1 });
  await count(3);
  await state.update(sda, 'logs', { version: 2, labels: {} });
  await count(4);
  t.deepEqual(woken, ['data', 'data', 'logs', 'logs']);
});

test('a watch that lost changes begins again, and what went meanwhile is told as gone', async (t) => {
  const store = new Store({ historyLimit: 4 });
  const controller: Controller = {
    name: 'mirror',
    inputs: [{ ...disks, strength: 'weak' }],
    outputs: [{ ...volumes, mode: 'exclusive' }],
    reconcile: async (item, access) => {
      if ((await access.get(key(disks, item))) !== undefined) {
        await access.modify(key(volumes, item), () => null);
      } else if (await access.teardown(key(volumes, item))) await access.destroy(key(volumes, item));
    },
  };
  const { state, clock, failures } = run(t, [controller], memoryState(store));
  await state.create(key(disks, 'goes'), null);
  await until(state, volumes, (specs) => specs.has('goes'));
  // Within one turn of the loop: nobody can read in between.
  store.destroy(key(disks, 'goes'));
  for (let place = 0; place < 20; place += 1) store.create(key(disks, `disk-${place}`), null);
  while (failures.length === 0) await new Promise((resolve) => void setImmediate(resolve));
  t.like(failures, [{ name: disks.type, error: { code: 'ERR_STATE_OVERRUN' } }]);
  clock.advance(1000);
  await until(state, volumes, (specs) => specs.size === 20 && !specs.has('goes'));
  t.pass();
});

test('a controller that fails holds back no other, and a mapping that throws is told by its name', async (t) => {
  const broken: Controller = {
    ...idle,
    name: 'broken',
    inputs: [
      {
        ...disks,
        strength: 'weak',
        items: () => {
          throw new TypeError('no such field');
        },
      },
    ],
  };
  const failing: Controller = {
    ...idle,
    name: 'failing',
    reconcile: () => Promise.reject(new TypeError('never')),
  };
  const good: Controller = {
    ...idle,
    name: 'good',
    outputs: [{ ...volumes, mode: 'exclusive' }],
    reconcile: async (item, access) => void (await access.modify(key(volumes, item), () => null)),
  };
  const { state, failures } = run(t, [broken, failing, good]);
  await state.create(key(disks, 'sda'), null);
  await until(state, volumes, (specs) => specs.has('sda'));
  await until(state, controllerItems, (specs) => specs.has('failing:sda'));
  t.deepEqual(
    new Set(failures.map(({ name, item = '' }) => `${name}:${item}`)),
    new Set(['broken:', 'failing:sda']),
  );
});

test('the end waits for what runs, and its failure is told to nobody', async (t) => {
  const began = Promise.withResolvers<void>();
  let hasEnded = false;
  const controller: Controller = {
    ...idle,
    reconcile: async (_item, _access, signal) => {
      began.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      hasEnded = true;
      throw signal.reason;
    },
  };
  const { state, failures, stop } = run(t, [controller]);
  await state.create(key(disks, 'sda'), null);
  await began.promise;
  await stop();
  t.true(hasEnded);
  t.deepEqual(failures, []);
  t.deepEqual(await ids(state, controllerItems), []);
});

test('reasons that a killed run has left are gone, in a state that outlives it', async (t) => {
  const state = memoryState();
  const left = key(controllerItems, 'gone:sda');
  await state.create(left, { reason: 'the disk is too small' }, { owner: 'runtime' });
  const stop = run(t, [idle], state);
  await until(state, controllerItems, (specs) => specs.size === 0);
  t.is(await state.get(left), undefined);
  t.deepEqual(stop.failures, []);
});

test('nothing is registered after the start, and it starts once', async (t) => {
  const runtime = new Runtime({ state: memoryState() });
  await Promise.all([
    runtime.run(AbortSignal.abort()),
    t.throwsAsync(runtime.run(AbortSignal.abort()), { code: 'ERR_RUNTIME_STARTED' }),
  ]);
  t.throws(() => runtime.register(idle), { code: 'ERR_RUNTIME_STARTED' });
});

test('what is outside the state wakes items, and begins again when it ends', async (t) => {
  const [woken, begun] = [[] as string[], [] as number[]];
  let wake: ((item: string) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const controller: Controller = {
    name: 'uevents',
    inputs: [],
    outputs: [{ ...disks, mode: 'exclusive' }],
    outside: (wakeItem, signal) =>
      new Promise((resolve, reject) => {
        begun.push(begun.length);
        [wake, fail] = [wakeItem, reject];
        signal.addEventListener('abort', () => resolve());
      }),
    reconcile: async (item, access) => {
      woken.push(item);
      await access.modify(key(disks, item), () => null);
    },
  };
  const { state, clock, failures, stop } = run(t, [controller]);
  while (begun.length < 1) await new Promise(setImmediate);
  wake?.('sda');
  await until(state, disks, (specs) => specs.has('sda'));
  fail?.(new Error('the socket is closed'));
  while (clock.sleepers === 0) await new Promise(setImmediate);
  t.like(failures, [{ name: 'uevents', item: undefined, error: { message: 'the socket is closed' } }]);
  clock.skip();
  while (begun.length < 2) await new Promise(setImmediate);
  wake?.('sdb');
  await until(state, disks, (specs) => specs.has('sdb'));
  t.deepEqual(woken, ['sda', 'sdb']);
  await stop();
});

test('an item without inputs is made right at the start, and again after a failure', async (t) => {
  let attempts = 0;
  const controller: Controller = {
    name: 'security',
    inputs: [],
    outputs: [{ ...disks, mode: 'exclusive' }],
    outside: atStart('machine'),
    reconcile: async (item, access) => {
      attempts += 1;
      if (attempts === 1) throw new Error('the device is busy');
      await access.modify(key(disks, item), () => attempts);
    },
  };
  const { state, clock } = run(t, [controller]);
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.skip();
  await until(state, disks, (specs) => specs.get('machine') === 2);
  t.is(attempts, 2);
});

test('a replacement makes the outputs exactly what is wanted, but for what somebody holds or others own', async (t) => {
  const controller: Controller = {
    name: 'discovery',
    inputs: [
      { ...volumes, strength: 'weak' },
      { ...disks, strength: 'awaiting-destruction', items: () => ['all'] },
    ],
    outputs: [{ ...disks, mode: 'shared' }],
    reconcile: async (_, access) => {
      const wanted = (await access.get(key(volumes, 'wanted')))?.spec as readonly string[];
      await access.replace(disks, new Map(wanted.map((id) => [id, id])));
    },
  };
  const { state } = run(t, [controller]);
  await state.create(key(disks, 'theirs'), null, { owner: 'somebody' });
  await state.create(key(volumes, 'wanted'), ['sda', 'sdb', 'sdc']);
  await until(state, disks, (specs) => specs.size === 4);
  await state.addFinalizers(key(disks, 'sdb'), ['user']);
  await state.update(key(volumes, 'wanted'), ['sdc'], { version: 1 });
  await until(state, disks, (specs) => !specs.has('sda') && specs.size === 3);
  t.is((await state.get(key(disks, 'sdb')))?.metadata.phase, 'tearingDown');
  await state.removeFinalizers(key(disks, 'sdb'), ['user']);
  await until(state, disks, (specs) => specs.size === 2);
  t.deepEqual(await ids(state, disks), ['sdc', 'theirs']);
});
