import { failure } from '@nodecore/api';
import { HealthState } from '@nodecore/api/inspect';
import type { HealthCheckInit } from '@nodecore/api/inspect';
import type { KvstoreServiceHandlers } from '@nodecore/api/kvstore';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { type FakeNodeOptions, startFakeNode, status } from './fake-node.ts';

type Row = { node: string; check: string; state: string; reason: string; durationMs: number };

const well: readonly HealthCheckInit[] = [
  { name: 'boot', state: HealthState.OK, durationMillis: 3 },
  { name: 'kvstore', state: HealthState.OK },
];

/** A node that judges itself; `checks` is asked at every look. */
async function node(
  t: ExecutionContext,
  {
    checks = () => well,
    machineType = 'controlplane',
    ...options
  }: FakeNodeOptions & {
    checks?: () => readonly HealthCheckInit[];
    machineType?: string;
  } = {},
): Promise<string> {
  const inspect: NonNullable<FakeNodeOptions['inspect']> = {
    health: (_call, answer) => answer(null, { checks: [...checks()], machineType }),
  };
  return (await startFakeNode(t, { inspect, ...options })).endpoint;
}

function kvstore(own: bigint, ...members: readonly bigint[]): Partial<KvstoreServiceHandlers> {
  return {
    members: (_call, answer) =>
      answer(null, { members: members.map((id) => ({ id, hostname: `node-${id}` })) }),
    status: (_call, answer) => answer(null, { memberId: own }),
  };
}

async function look(t: ExecutionContext, endpoints: readonly string[], ...flags: readonly string[]) {
  const env = await clientConfig(t, { endpoints, nodes: endpoints });
  const outcome = await osctl(['health', '--wait-timeout', '0', '-o', 'json', ...flags], { env });
  const rows = (outcome.out === '' ? [] : JSON.parse(outcome.out)) as Row[];
  const row = (check: string): Row | undefined => rows.find((each) => each.check === check);
  return { ...outcome, rows, row };
}

test('every check of every node is a row, and what needs an orchestrator says that there is none', async (t) => {
  const endpoint = await node(t, { kvstore: kvstore(1n, 1n) });
  const { code, rows, error } = await look(t, [endpoint]);
  t.is(code, 0, error);
  t.deepEqual(
    rows.map(({ node: name, check, state, reason }) => [name, check, state, reason]),
    [
      [endpoint, 'api', 'ok', ''],
      [endpoint, 'boot', 'ok', ''],
      [endpoint, 'kvstore', 'ok', ''],
      ['', 'kvstore members agree', 'ok', ''],
      ['', 'kvstore members are control planes', 'ok', ''],
      ['', 'kubelet', 'skipped', 'no orchestrator'],
      ['', 'orchestrator nodes registered', 'skipped', 'no orchestrator'],
      ['', 'control plane components', 'skipped', 'no orchestrator'],
      ['', 'orchestrator nodes ready', 'skipped', 'no orchestrator'],
    ],
  );
  t.true(rows.every(({ durationMs }) => Number.isInteger(durationMs)));
});

test('one look at what is not well ends with 1, and a wait for it, however short, with 7 and each reason once', async (t) => {
  const ill = [{ name: 'services', state: HealthState.FAILED, reason: 'etcd has failed\u001b[2J' }];
  const endpoint = await node(t, { checks: () => ill });
  const once = await look(t, [endpoint]);
  t.is(once.code, 1);
  t.true(once.error.includes('1 of 8 checks failed'), once.error);
  const env = await clientConfig(t, { endpoints: [endpoint] });
  // Less than the first look takes.
  const waited = await osctl(['health', '--wait-timeout', '1ms'], { env });
  t.is(waited.code, 7);
  t.is(waited.error.split('waiting for').length, 2, waited.error);
  t.true(waited.error.includes('services: etcd has failed?[2J'), waited.error);
  t.regex(waited.out, /services +failed +\d+ ms +etcd has failed\?\[2J/u);
});

test('a node that becomes well ends the wait', async (t) => {
  let looks = 0;
  const state = (): HealthState => (looks++ === 0 ? HealthState.FAILED : HealthState.OK);
  const endpoint = await node(t, {
    checks: () => [{ name: 'boot', state: state(), reason: 'it is booting' }],
  });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const { code, out, error } = await osctl(['health', '--wait-timeout', '10m'], { env });
  t.is(code, 0, error);
  t.true(error.includes(`waiting for ${endpoint}: boot: it is booting`), error);
  t.regex(out, /boot +ok/u);
});

test('a node that does not answer is a check that fails; the others are judged all the same', async (t) => {
  const endpoint = await node(t);
  const { code, rows } = await look(t, [endpoint, '127.0.0.1:1']);
  t.is(code, 1);
  const api = rows.filter(({ check }) => check === 'api');
  t.deepEqual(
    api.map(({ node: name, state }) => [name, state]),
    [
      [endpoint, 'ok'],
      ['127.0.0.1:1', 'failed'],
    ],
  );
  t.true(api[1]?.reason.includes('refused'), api[1]?.reason);
});

test('a node that never answers takes no longer than the wait for it', async (t) => {
  const { endpoint } = await startFakeNode(t, { inspect: { health: () => {} } });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const begun = performance.now();
  const { code, out } = await osctl(['health', '--wait-timeout', '1ms'], { env });
  t.is(code, 7);
  t.regex(out, /api +failed .*no answer within/u);
  t.true(performance.now() - begun < 5_000); // a call alone may take 10 s
});

test('a certificate without the role is not waited for', async (t) => {
  const inspect: NonNullable<FakeNodeOptions['inspect']> = {
    health: (_call, answer) => answer(failure(status.PERMISSION_DENIED, 'needs os:reader')),
  };
  const endpoint = await node(t, { inspect });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  t.is((await osctl(['health'], { env })).code, 4);
});

test('members that see different members, or that are no control planes, are named', async (t) => {
  const first = await node(t, { kvstore: kvstore(1n, 1n, 2n) });
  const second = await node(t, { kvstore: kvstore(2n, 1n, 2n, 3n) });
  const { code, row } = await look(t, [first, second]);
  t.is(code, 1);
  t.is(
    row('kvstore members agree')?.reason,
    `${first} sees node-1 (1), node-2 (2); ${second} sees node-1 (1), node-2 (2), node-3 (3)`,
  );
  t.is(row('kvstore members are control planes')?.reason, 'of no control plane that was asked: node-3 (3)');
});

test('one control plane of several is no proof of the others, unless it was named as the only one', async (t) => {
  const endpoint = await node(t, { kvstore: kvstore(1n, 1n, 2n) });
  const { row } = await look(t, [endpoint]);
  t.is(row('kvstore members are control planes')?.state, 'skipped');
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const flags = ['--control-plane-nodes', endpoint, '--wait-timeout', '0', '-o', 'json'];
  const { out } = await osctl(['health', ...flags], { env });
  const named = (JSON.parse(out) as Row[]).find(({ check }) => check.endsWith('are control planes'));
  t.is(named?.state, 'failed');
});

test('without the server the client judges by what the node has published', async (t) => {
  const specs = {
    'MachineStatuses.runtime.nodecore.dev': {
      machine: {
        stage: 'running',
        status: { ready: false, unmetConditions: [{ name: 'time', reason: 'the clock was not set' }] },
      },
    },
    'Services.runtime.nodecore.dev': {
      a: { state: 'Running', running: true, healthy: false, unknown: false, healthMessage: 'no leader' },
      b: { state: 'Running', running: true, healthy: false, unknown: true },
    },
    'KvstoreMembers.kvstore.nodecore.dev': { local: { phase: 'joining', reason: 'no peer answers' } },
    'TimeStatuses.runtime.nodecore.dev': { node: { synced: false, error: 'chronyc is not on this machine' } },
    'VolumeStatuses.block.nodecore.dev': { EPHEMERAL: { phase: 'ready', size: 1_000_000_000 } },
    'ControllerItems.runtime.nodecore.dev': {
      'x:y': { phase: 'failing', reason: 'EIO' },
      z: { phase: 'waiting' },
    },
  };
  const counters: NonNullable<FakeNodeOptions['counters']> = {
    memory: (_call, answer) =>
      answer(null, { values: [{ name: 'MemTotal', value: 1_572_864n, unit: 'kB' }] }),
  };
  const endpoint = await node(t, { specs, counters, checks: () => t.fail() });
  const { code, rows } = await look(t, [endpoint], '--server=false');
  t.is(code, 1);
  const found = Object.fromEntries(rows.map(({ check, state, reason }) => [check, `${state} ${reason}`]));
  t.like(found, {
    boot: 'ok ',
    ready: 'failed time: the clock was not set',
    services: 'failed a is not healthy: no leader',
    kvstore: 'failed its member is joining: no peer answers',
    time: 'failed nothing sets the clock: chronyc is not on this machine',
    memory: 'failed it has 1.5 GiB of memory, and needs 2.0 GiB',
    ephemeral: 'failed EPHEMERAL has 0.9 GiB, and needs 2.0 GiB',
    controllers: 'failed x:y: EIO',
  });
  const older = await look(t, [await node(t, { specs })], '--server=false');
  t.is(older.row('memory')?.state, 'skipped');
});

test('nodes are named in one way', async (t) => {
  const { code, error } = await osctl(['health', '-n', 'a', '--worker-nodes', 'b']);
  t.is(code, 2);
  t.true(error.includes('leave out -n'), error);
});

test('a node without a configuration says what it lacks to whoever asks', async (t) => {
  const boot = { name: 'boot', state: HealthState.FAILED, reason: 'maintenance: no configuration' };
  const endpoint = await node(t, { maintenance: true, checks: () => [boot], machineType: '' });
  const { code, out } = await osctl(['health', '-i', '-n', endpoint, '--wait-timeout', '0']);
  t.is(code, 1);
  t.regex(out, /boot +failed .*maintenance: no configuration/u);
});
