import { HealthState } from '@nodecore/api/inspect';
import { parse } from '@nodecore/config';
import { type Json, Store } from '@nodecore/state';
import type { ResourceDefinition } from '@nodecore/api';
import test from 'ava';
import { pino } from 'pino';

import { definitions } from '../src/features.ts';
import { healthOf } from '../src/inspect/health.ts';
import { minimumsController } from '../src/inspect/minimums-controller.ts';
import { controllerItems } from '../src/inspect/definitions.ts';
import { kvstoreMembers } from '../src/kvstore/kvstore-definitions.ts';
import { machineStatuses } from '../src/lifecycle/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { serviceStatuses } from '../src/services/definitions.ts';
import { timeStatuses } from '../src/time/definitions.ts';
import { volumeStatuses } from '../src/volumes/definitions.ts';
import { runControllers } from './controllers.ts';
import { authority, rootDocument } from './documents.ts';

const gib = 2 ** 30;

/** What a node says of itself that has published these resources. */
async function judged(
  published: readonly (readonly [ResourceDefinition, Readonly<Record<string, Json>>])[],
  { memory = 4 * gib, configured = true } = {},
) {
  const store = new Store();
  for (const [definition, specs] of published)
    store.replace(kindOf(definition), new Map(Object.entries(specs)), 'test');
  using configuration = parse(rootDocument(await authority()));
  const configurator = { active: configured ? { configuration, version: 1 } : undefined };
  const { checks = [], machineType } = await healthOf({
    store,
    definitions,
    configurator,
    memoryBytes: () => memory,
  });
  const found = checks.map(({ name = '', state, reason = '' }) => [name, { state, reason }] as const);
  return { machineType, ...Object.fromEntries(found) };
}

const ok = { state: HealthState.OK, reason: '' };

test('a node that lacks nothing is well', async (t) => {
  const found = await judged([
    [machineStatuses, { machine: { stage: 'running', status: { ready: true, unmetConditions: [] } } }],
    [serviceStatuses, { chronyd: { state: 'Running', running: true, healthy: true, unknown: false } }],
    [kvstoreMembers, { local: { phase: 'running', healthy: true } }],
    [timeStatuses, { node: { synced: true } }],
    [volumeStatuses, { EPHEMERAL: { phase: 'ready', size: BigInt(8 * gib) } }],
    [controllerItems, { 'a:b': { phase: 'waiting', reason: 'a disk' } }],
  ]);
  t.like(found, {
    boot: ok,
    ready: ok,
    services: ok,
    kvstore: ok,
    time: ok,
    memory: ok,
    ephemeral: ok,
    controllers: ok,
  });
  t.is(found.machineType, 'controlplane');
});

test('a node in maintenance is not well, and says that it has no configuration', async (t) => {
  const found = await judged(
    [[machineStatuses, { machine: { stage: 'maintenance', status: { ready: true } } }]],
    {
      configured: false,
    },
  );
  t.like(found, {
    boot: { state: HealthState.FAILED, reason: 'it is in maintenance: it has no configuration' },
    ready: { state: HealthState.SKIPPED },
    services: { state: HealthState.SKIPPED },
    kvstore: { state: HealthState.SKIPPED },
    ephemeral: { state: HealthState.SKIPPED },
    machineType: '',
  });
});

test('a node that says nothing of itself yet is not well', async (t) => {
  const failed = { state: HealthState.FAILED, reason: 'it does not say yet what it is doing' };
  t.like(await judged([]), { boot: failed });
});

test('a clock that is not right is why a node is not well, unless nobody here is to set it', async (t) => {
  const time = async (status: Readonly<Record<string, Json>>) =>
    (await judged([[timeStatuses, { node: { synced: false, ...status } }]])) as { readonly time?: unknown };
  const failed = { state: HealthState.FAILED };
  for (const [status, found] of [
    [{ error: 'bad: is none' }, { ...failed, reason: 'nothing sets the clock: bad: is none' }],
    [{}, { ...failed, reason: 'the clock follows none of its sources yet' }],
    [
      { source: '10.0.0.1', offsetSeconds: 1.5 },
      { ...failed, reason: 'the clock is 1.5 s off what 10.0.0.1 says' },
    ],
    [{ hostClock: true, error: 'this host keeps its own clock' }, { state: HealthState.SKIPPED }],
    [{ syncDisabled: true }, { state: HealthState.SKIPPED }],
  ] as const)
    t.like(await time(status), { time: found });
  t.like(await judged([]), { time: { state: HealthState.SKIPPED } });
});

test('too little memory, less what the machine keeps, and too small an EPHEMERAL', async (t) => {
  const small = await judged(
    [[volumeStatuses, { EPHEMERAL: { phase: 'ready', size: BigInt(2 * gib) - 1n } }]],
    {
      memory: 1.5 * gib,
    },
  );
  t.like(small, {
    memory: { state: HealthState.FAILED, reason: 'it has 1.5 GiB of memory, and needs 2.0 GiB' },
    ephemeral: { state: HealthState.FAILED },
  });
  t.like(await judged([], { memory: 1.8 * gib }), { memory: ok });
});

test('a service that has ended in order is not missed; one that failed is', async (t) => {
  const service = { running: false, healthy: false, unknown: true };
  const found = await judged([
    [
      serviceStatuses,
      {
        done: { ...service, state: 'Finished' },
        broken: { ...service, state: 'Failed', message: 'exit code 3' },
      },
    ],
  ]);
  t.like(found, { services: { state: HealthState.FAILED, reason: 'broken has failed: exit code 3' } });
});

test('a worker needs half of the memory of a control plane', async (t) => {
  const failed = { state: HealthState.FAILED, reason: 'it has 0.8 GiB of memory, and needs 1.0 GiB' };
  t.like(await judged([], { memory: 0.8 * gib, configured: false }), { memory: failed });
  t.like(await judged([], { memory: 0.9 * gib, configured: false }), { memory: ok });
});

test('a machine that is too small says so in its log when it starts and when it is known what it is for, once each', async (t) => {
  const [store, said] = [new Store(), [] as string[]];
  const log = pino(
    { level: 'warn' },
    { write: (line) => void said.push((JSON.parse(line) as { msg: string }).msg) },
  );
  using configuration = parse(rootDocument(await authority()));
  const configurator: { active: { configuration: typeof configuration; version: number } | undefined } = {
    active: undefined,
  };
  runControllers(t, store, minimumsController({ log, configurator, memoryBytes: () => gib / 2 }));
  const seen = async (count: number): Promise<void> => {
    while (said.length < count) await new Promise(setImmediate);
  };
  await seen(1);
  const volume = (phase: string): void =>
    store.replace(kindOf(volumeStatuses), new Map([['EPHEMERAL', { phase, size: BigInt(gib) }]]), 'test');
  volume('located');
  configurator.active = { configuration, version: 1 };
  store.create({ ...kindOf(machineStatuses), id: 'machine' }, { stage: 'running' });
  await seen(2);
  volume('ready');
  await seen(3);
  volume('ready');
  store.destroy({ ...kindOf(machineStatuses), id: 'machine' }, '');
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  const small = 'the machine is smaller than nodes are made for:';
  t.deepEqual(said, [
    `${small} it has 0.5 GiB of memory, and needs 1.0 GiB`,
    `${small} it has 0.5 GiB of memory, and needs 2.0 GiB`,
    `${small} EPHEMERAL has 1.0 GiB, and needs 2.0 GiB`,
  ]);
});
