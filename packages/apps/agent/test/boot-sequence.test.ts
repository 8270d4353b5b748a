import { setImmediate } from 'node:timers/promises';

import { Store } from '@nodecore/state';
import test from 'ava';

import { machineConfigs } from '../src/configuration/definitions.ts';
import { machineStatuses } from '../src/lifecycle/definitions.ts';
import { followBoot } from '../src/lifecycle/follow-boot.ts';
import { Sequences } from '../src/lifecycle/sequences.ts';
import { maintenanceStatuses } from '../src/maintenance/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';

import { eventsOf, wordsOf } from './event-words.ts';

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

/** The first minutes of a machine. */
function booting() {
  const events = eventsOf();
  const store = new Store();
  const sequences = new Sequences({ events });
  const stopping = new AbortController();
  const running = followBoot({ store, sequences }, stopping.signal);
  const put = (definition: typeof machineConfigs, id: string, spec: object): void =>
    store.replace(kindOf(definition), new Map([[id, spec as never]]), 'x');
  return {
    events,
    sequences,
    settled,
    maintenance: () => put(maintenanceStatuses, 'maintenance', { reason: '' }),
    configured: () => put(machineConfigs, 'v1alpha1', {}),
    status: (stage: string, ...unmet: readonly string[]) => {
      const unmetConditions = unmet.map((name) => ({ name, reason: '' }));
      put(machineStatuses, 'machine', { stage, status: { ready: unmet.length === 0, unmetConditions } });
    },
    end: async () => {
      stopping.abort();
      await running;
    },
  };
}

test('a boot is told until the machine is ready or waits for its bootstrap alone, also one that waits for its first configuration', async (t) => {
  for (const isNew of [false, true]) {
    const node = booting();
    await node.settled();
    t.is(node.sequences.running, 'initialize');
    if (isNew) node.maintenance();
    await node.settled();
    t.is(node.sequences.running, isNew ? undefined : 'initialize');
    node.configured();
    await node.settled();
    t.is(node.sequences.running, 'boot');
    node.status('running', 'volumes', 'kvstore');
    node.status('maintenance');
    await node.settled();
    t.is(node.sequences.running, 'boot');
    node.status('running', ...(isNew ? ['kvstore'] : []));
    await node.settled();
    t.is(node.sequences.running, undefined);
    t.deepEqual(wordsOf(node.events), [
      'initialize start',
      'config start',
      'config stop',
      'initialize stop',
      'boot start',
      'startEverything start',
      'startEverything stop',
      'boot stop',
    ]);
    await node.end();
  }
});

test('a boot that something takes over from is canceled', async (t) => {
  const node = booting();
  node.configured();
  await node.settled();
  node.sequences.enter('reset').end();
  await node.settled();
  t.true(wordsOf(node.events).includes('boot stop canceled'));
  await node.end();
});
