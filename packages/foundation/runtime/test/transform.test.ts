import { memoryState, type Resource, type State } from '@nodecore/state';
import test from 'ava';

import { type Controller, controllerItems, Runtime, transform, waitFor } from '../src/index.ts';
import { crashingState, type CrashPoint } from './crashing-state.ts';
import { disks, ids, key, mounts, reasons, run, until, volumes } from './scene.ts';

/** A volume on each disk, and a mount of each volume. */
function chain(undone: string[] = []): readonly Controller[] {
  return [
    transform({
      name: 'volumes',
      input: disks,
      output: { ...volumes, mode: 'exclusive' },
      outputId: (id) => `data-${id}`,
      inputId: (id) => id.slice('data-'.length),
      want: async ({ spec }) => {
        if (spec === 'unused') return undefined;
        return spec === 'late' ? waitFor('the disk spins up') : { spec: `on ${spec as string}` };
      },
      undo: async ({ metadata }) => void undone.push(metadata.id),
    }),
    transform({
      name: 'mounts',
      input: volumes,
      output: { ...mounts, mode: 'exclusive' },
      want: async ({ spec }) => ({ spec, labels: { volume: '' } }),
    }),
  ];
}

/** Whether nobody holds it, and it can go. */
const isFree = ({ metadata: { finalizers } }: Resource): boolean => finalizers.length === 0;

/** What an operator does who takes a disk away: says so, and destroys it when everybody has let go. */
async function remove(state: State, id: string): Promise<void> {
  await state.teardown(key(disks, id));
  const stop = new AbortController();
  for await (const events of state.watch({ key: key(disks, id) }, stop.signal)) {
    const last = events.findLast((event) => event.type !== 'bootstrapped');
    if (last === undefined || !isFree(last.resource)) continue;
    stop.abort();
    return await state.destroy(key(disks, id));
  }
}

test('each input has its output, which follows it, waits with a reason, and goes when it is not wanted', async (t) => {
  const { state } = run(t, chain());
  await state.create(key(disks, 'sda'), 'disk');
  await until(state, mounts, (specs) => specs.get('data-sda') === 'on disk');
  await state.update(key(disks, 'sda'), 'another', { version: 2 });
  await until(state, mounts, (specs) => specs.get('data-sda') === 'on another');
  t.deepEqual((await state.get(key(mounts, 'data-sda')))?.metadata.labels, { volume: '' });
  await state.update(key(disks, 'sda'), 'late', { version: 3 });
  await until(state, controllerItems, (specs) => specs.has('volumes:sda'));
  t.like((await reasons(state)).get('volumes:sda'), { phase: 'waiting', reason: 'the disk spins up' });
  t.is((await state.get(key(volumes, 'data-sda')))?.spec, 'on another', 'what is there stays meanwhile');
  await state.update(key(disks, 'sda'), 'unused', { version: 4 });
  await until(state, volumes, (specs) => specs.size === 0);
  t.deepEqual(await ids(state, mounts), []);
});

test('an input goes after its output, and that after everybody who holds it; who does is said', async (t) => {
  const undone: string[] = [];
  const { state } = run(t, chain(undone));
  await state.create(key(disks, 'sda'), 'disk');
  await until(state, mounts, (specs) => specs.size === 1);
  await state.addFinalizers(key(mounts, 'data-sda'), ['a-user']);
  t.false(await state.teardown(key(disks, 'sda')));
  await until(state, controllerItems, (specs) => specs.has('mounts:data-sda'));
  t.like((await reasons(state)).get('mounts:data-sda'), {
    reason: `${mounts.type} data-sda is held by a-user`,
  });
  t.like((await reasons(state)).get('volumes:sda'), {
    reason: `${volumes.type} data-sda is held by mounts`,
  });
  await t.throwsAsync(state.destroy(key(disks, 'sda')), { code: 'ERR_RESOURCE_FINALIZERS' });
  await state.removeFinalizers(key(mounts, 'data-sda'), ['a-user']);
  await remove(state, 'sda');
  t.deepEqual([await ids(state, disks), await ids(state, volumes), await ids(state, mounts)], [[], [], []]);
  await until(state, controllerItems, (specs) => specs.size === 0);
  t.true(undone.length >= 1);
});

test('an output that is being torn down is made anew when it is wanted again', async (t) => {
  const { state } = run(t, chain());
  await state.create(key(disks, 'sda'), 'disk');
  await until(state, mounts, (specs) => specs.size === 1);
  await state.addFinalizers(key(volumes, 'data-sda'), ['a-user']);
  await state.update(key(disks, 'sda'), 'unused', { version: 2 });
  await until(state, controllerItems, (specs) => specs.has('volumes:sda'));
  await state.update(key(disks, 'sda'), 'again', { version: 3 });
  await state.removeFinalizers(key(volumes, 'data-sda'), ['a-user']);
  await until(state, mounts, (specs) => specs.get('data-sda') === 'on again');
  t.is((await state.get(key(volumes, 'data-sda')))?.metadata.phase, 'running');
});

/** Runs the chain until it is killed. @returns whether it was. */
async function runUntilCrash(state: State, point: CrashPoint, script: () => Promise<void>): Promise<boolean> {
  const killed = Promise.withResolvers<'killed'>();
  const runtime = new Runtime({ state: crashingState(state, point, () => killed.resolve('killed')) });
  for (const controller of chain()) runtime.register(controller);
  const stop = new AbortController();
  const running = runtime.run(stop.signal);
  const ended = await Promise.race([killed.promise, script().then(() => 'done' as const)]);
  stop.abort(); // a killed process neither reads nor writes; its reconciliations hang for ever
  if (ended === 'done') await running;
  return ended === 'killed';
}

for (const moment of ['before', 'after'] as const) {
  test(`a kill ${moment} any write leaves nothing that the next run does not put right`, async (t) => {
    for (let write = 1; ; write += 1) {
      const state = memoryState();
      const script = async (): Promise<void> => {
        await state.create(key(disks, 'stays'), 'disk');
        await state.create(key(disks, 'goes'), 'disk');
        await until(state, mounts, (specs) => specs.size === 2);
        await state.update(key(disks, 'stays'), 'changed', { version: 2 });
        await remove(state, 'goes');
        await until(state, mounts, (specs) => specs.size === 1 && specs.get('data-stays') === 'on changed');
      };
      const pending = { script: Promise.resolve() };
      const wasKilled = await runUntilCrash(state, { write, moment }, () => (pending.script = script()));
      const { stop } = run(t, chain(), state);
      await pending.script; // the operator goes on, whoever runs the controllers
      await stop();
      t.deepEqual(await ids(state, disks), ['stays']);
      t.deepEqual(await ids(state, volumes), ['data-stays']);
      t.deepEqual(await ids(state, mounts), ['data-stays']);
      t.deepEqual((await state.get(key(disks, 'stays')))?.metadata.finalizers, ['volumes']);
      t.deepEqual((await state.get(key(volumes, 'data-stays')))?.metadata.finalizers, ['mounts']);
      if (!wasKilled) return t.true(write > 15, `${write} writes`);
    }
  });
}
