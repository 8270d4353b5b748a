import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ResourceDefinition } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import type { Json } from '@nodecore/state';
import { Supervisor } from '@nodecore/supervisor';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { Registry } from 'prom-client';

import { sumOf } from '../src/captures/capture-counters.ts';
import { discoveryStatuses } from '../src/discovery/definitions.ts';
import { eventSinkStatuses } from '../src/events/definitions.ts';
import { controllerItems } from '../src/inspect/definitions.ts';
import { kmsgLogStatuses } from '../src/kmsg-logs/definitions.ts';
import { machineStatuses } from '../src/lifecycle/definitions.ts';
import { linkStatuses } from '../src/link/definitions.ts';
import { agentMetrics } from '../src/metrics/metrics.ts';
import { pressurePolicies } from '../src/pressure/definitions.ts';
import { probeStatuses } from '../src/probes/definitions.ts';
import { dnsUpstreams } from '../src/resolver/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { scrubStatuses } from '../src/scrubs/definitions.ts';
import { serviceSpec } from '../src/services/service-spec.ts';
import { serviceStatuses } from '../src/services/definitions.ts';
import { timeStatuses } from '../src/time/definitions.ts';
import { volumeTrimStatuses } from '../src/trims/definitions.ts';
import { bootEntries } from '../src/upgrades/definitions.ts';
import { upgradeStatuses } from '../src/upgrades/release-status.ts';
import { Tally } from '../src/tally.ts';
import { volumeStatuses } from '../src/volumes/definitions.ts';
import { KeyTallies } from '../src/volumes/key-tallies.ts';
import { watchdogTimerStatuses } from '../src/watchdog/definitions.ts';
import { Profiles } from '../src/profiles/profiles.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';
import { twoNodes } from './proxy-node.ts';
import { identity, secured } from './hostile-client.ts';

const types: Readonly<Record<string, string>> = {
  counter: 'counter',
  gauge: 'gauge',
  histogram: 'histogram',
};

const controllerCounts = () => [{ controller: 'discovery', runs: 7, failures: 1 }];

/** The text format of Prometheus: each metric once, with its help and type before its samples, and no sample twice. */
function formatted(t: ExecutionContext, text: string): void {
  t.true(text.endsWith('\n'));
  const [metrics, samples] = [new Set<string>(), new Set<string>()];
  let [helped, current, type] = ['', '', ''];
  for (const line of text.split('\n').filter(Boolean)) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/u.exec(line) ?? [];
    if (kind === 'HELP') {
      t.false(metrics.has(name), `${name} comes twice`);
      metrics.add(name);
      helped = name;
    } else if (kind === 'TYPE') {
      t.is(name, helped);
      t.true(rest in types, line);
      [current, type] = [name, rest];
    } else {
      const [, key = '', base = ''] = sample.exec(line) ?? [];
      t.is(type === 'histogram' ? base.replace(/_(?:bucket|sum|count)$/u, '') : base, current, line);
      t.false(samples.has(key), `${key} comes twice`);
      samples.add(key);
    }
  }
}

/** `name{label="value"} 1`: a backslash, a quote and a line break in a value are escaped. */
const sample =
  /^(([a-z_]\w*)(?:\{[a-z_]\w*="(?:[^"\\]|\\[\\"n])*"(?:,[a-z_]\w*="(?:[^"\\]|\\[\\"n])*")*\})?) (?:-?[0-9.]+(?:e[-+]\d+)?|[-+]Inf|NaN)$/u;

/** The metrics of a node, with captures as they are given. */
function metricsOf(
  registry: Registry,
  node: Awaited<ReturnType<typeof apiNode>>,
  captures: Parameters<typeof agentMetrics>[1]['captures'] = { count: 0, totals: sumOf([]) },
  more: Partial<Parameters<typeof agentMetrics>[1]> = {},
): Disposable {
  const profiles = new Profiles({ clock: node.clock });
  const tallies = { signer: { outcomes: new Tally() }, keyTallies: new KeyTallies(), services: node };
  const parts = { ...node, controllerCounts, api: node.server, captures, profiles, ...tallies, ...more };
  return agentMetrics(registry, parts);
}

function inOrder<T extends { name?: string | undefined }>(list: readonly T[]): T[] {
  return list.toSorted((left, right) => String(left.name).localeCompare(String(right.name)));
}

test('docs/metrics.md has every metric with its labels, and no other; names follow the rules of Prometheus', async (t) => {
  const node = await apiNode(t);
  const registry = new Registry();
  using _metrics = metricsOf(registry, node);
  const page = await readFile(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(nodeos_\w+)` \| (\w+) \|(.*?)\| (.*?) \|$/gm)];
  const documented = rows.map(([, name, type, labels = '', help]) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
    help,
  }));
  const made = registry.getMetricsAsArray().map((metric) => ({
    name: metric.name,
    type: types[String(metric.type)] ?? metric.type,
    labels: 'labelNames' in metric ? (metric.labelNames as string[]) : [],
    help: 'help' in metric ? metric.help : '',
  }));
  t.deepEqual(inOrder(documented), inOrder(made));
  for (const { name, type, labels } of made) {
    t.regex(name, /^nodeos_[a-z0-9_]+$/);
    t.is(type === 'counter', name.endsWith('_total'), name);
    t.notRegex(name, /_(ms|millis|kb|mib|percent|counter|gauge|histogram)(_|$)/);
    t.notRegex(name, /_(?:sum|count|bucket)$/, 'a histogram has these');
    t.false(
      labels.some((label) => label === 'quantile' || label === 'le' || label.startsWith('__')),
      name,
    );
  }
});

test('metrics count calls by method, code and role, and connections that were kept out', async (t) => {
  const node = await apiNode(t);
  const registry = new Registry();
  const totals = { seen: 9n, received: 7n, dropped: 2n, bytes: 700n };
  using _metrics = metricsOf(registry, node, { count: 2, totals });
  const configuration = { data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO };
  await node.insecure().applyConfiguration(configuration);
  const reader = await node.as(['os:reader']);
  await reader.version();
  await t.throwsAsync(reader.applyConfiguration(configuration));
  const nobody = secured(node.address, await identity(ca, []));
  nobody.on('error', () => {});
  await new Promise((resolve) => nobody.resume().once('close', resolve));
  node.store.replace(
    kindOf(volumeStatuses),
    new Map([
      ['u-a', { phase: 'ready', size: 4096n }],
      ['u-b', { phase: 'waiting' }],
    ]),
    'test',
  );
  const last = { started: '2026-11-20T12:00:00.000Z', outcome: 'failed', trimmedBytes: 7n };
  node.store.replace(kindOf(volumeTrimStatuses), new Map([['u-a', { phase: 'scheduled', last }]]), 'test');
  node.store.replace(
    kindOf(pressurePolicies),
    new Map([['calm', { phase: 'watching', alerts: 3, held: ['/a'] }]]),
    'test',
  );
  node.store.replace(
    kindOf(controllerItems),
    new Map([['trims:u-a', { controller: 'trims', item: 'u-a', phase: 'waiting', reason: 'a slot' }]]),
    'test',
  );
  await node.audit.flush();
  const lines = (await registry.metrics()).split('\n');
  for (const line of [
    'api_calls_total{method="MachineService/ApplyConfiguration",code="OK",role="anonymous"} 1',
    'api_calls_total{method="MachineService/Version",code="OK",role="os:reader"} 1',
    'api_calls_total{method="MachineService/ApplyConfiguration",code="PERMISSION_DENIED",role="os:reader"} 1',
    'api_call_duration_seconds_count{method="MachineService/Version"} 1',
    'api_refusals_total{reason="role-less"} 1',
    'api_calls_running 0',
    'audit_records_total 3',
    'audit_dropped_total 0',
    'captures_running 2',
    'capture_packets_total 7',
    'capture_dropped_packets_total 2',
    'capture_bytes_total 700',
    'controller_runs_total{controller="discovery"} 7',
    'controller_failures_total{controller="discovery"} 1',
    'controller_items{controller="trims",phase="waiting"} 1',
    'volumes{phase="ready"} 1',
    'volumes{phase="waiting"} 1',
    'volume_size_bytes{volume="u-a"} 4096',
    `trim_last_timestamp_seconds{volume="u-a"} ${Date.UTC(2026, 10, 20, 12) / 1000}`,
    'trim_last_failed{volume="u-a"} 1',
    'pressure_alerts_total{policy="calm"} 3',
    'pressure_held_cgroups{policy="calm"} 1',
  ])
    t.true(lines.includes(`nodeos_${line}`), line);
  t.false(lines.some((line) => line.startsWith('nodeos_volume_size_bytes{volume="u-b"')));
  const [open = ''] = lines.filter((line) => line.startsWith('nodeos_process_open_fds '));
  t.true(Number(open.split(' ')[1]) > 5);
  t.true(lines.some((line) => line.startsWith('nodeos_event_loop_delay_seconds{percentile="99"} ')));
});

test('metrics have what the resources say of every feature, and leave out what those leave open', async (t) => {
  const node = await apiNode(t);
  const registry = new Registry();
  using _metrics = metricsOf(registry, node);
  const unmetConditions = [{ name: 'time', reason: 'not yet' }];
  const service = { state: 'Running', events: [], missingLimits: [] } as const;
  const health = { unknown: false, healthy: false, lastMessage: 'no', lastChangeMs: 0 };
  const said: readonly (readonly [ResourceDefinition, Readonly<Record<string, Json>>])[] = [
    [machineStatuses, { machine: { stage: 'running', status: { ready: false, unmetConditions } } }],
    [
      serviceStatuses,
      {
        etcd: serviceSpec({ ...service, id: 'etcd', health, restarts: 3 } as never),
        'ext-a': serviceSpec({ ...service, id: 'ext-a', health: { ...health, unknown: true } } as never),
      },
    ],
    [timeStatuses, { node: { synced: true, source: '10.0.0.1', offsetSeconds: -0.25, epoch: 1 } }],
    [watchdogTimerStatuses, { timer: { device: '/dev/watchdog0', error: 'PID 1 is not heard' } }],
    [bootEntries, { '1.14.0-1': { state: 'good' }, '1.14.1-2': { state: 'good' } }],
    [upgradeStatuses, { last: { state: 'running', phase: 'write', doneBytes: 5n, totalBytes: 10n } }],
    [linkStatuses, { link: { connected: false, state: 'waiting' } }],
    [
      probeStatuses,
      { 'tcp-db': { success: false, failures: 4, lastError: 'x' }, 'x"\n\\y': { failures: 1 } },
    ],
    [dnsUpstreams, { '#000 10.0.0.1': { healthy: true, answers: 12, failures: 1 } }],
    [eventSinkStatuses, { sink: { sent: 40, waiting: 2, lost: 1 } }],
    [kmsgLogStatuses, { central: { sent: 8, dropped: 0 } }],
    [discoveryStatuses, { discovery: { ready: true, unreadable: ['sdb'] } }],
    [
      scrubStatuses,
      {
        'u-a': { last: '2026-11-20T12:00:00.000Z', result: 'damaged' },
        'u-b': { result: 'impossible' },
      },
    ],
  ];
  for (const [definition, specs] of said)
    node.store.replace(kindOf(definition), new Map(Object.entries(specs)), 'test');
  node.events.emit({ type: 'phase', phase: 'boot', action: 'start' });
  const text = await registry.metrics();
  const lines = text.split('\n');
  for (const line of [
    'machine_stage{stage="running"} 1',
    'machine_stage{stage="maintenance"} 0',
    'machine_ready 0',
    'machine_unmet_conditions 1',
    'services{state="Running"} 2',
    'service_running{service="etcd"} 1',
    'service_healthy{service="etcd"} 0',
    'service_restarts_total{service="etcd"} 3',
    'time_synced 1',
    'time_offset_seconds -0.25',
    'time_jumps_total 1',
    'boot_entries{state="good"} 2',
    'release_state{work="upgrade",state="running"} 1',
    'release_state{work="upgrade",state="failed"} 0',
    'release_done_bytes{work="upgrade"} 5',
    'release_total_bytes{work="upgrade"} 10',
    'link_connected 0',
    'probe_success{probe="tcp-db"} 0',
    'probe_failures{probe="tcp-db"} 4',
    String.raw`probe_failures{probe="x\"\n\\y"} 1`,
    'dns_upstream_healthy{upstream="#000 10.0.0.1"} 1',
    'dns_upstream_answers_total{upstream="#000 10.0.0.1"} 12',
    'dns_upstream_failures_total{upstream="#000 10.0.0.1"} 1',
    'event_sink_sent_total 40',
    'event_sink_waiting 2',
    'event_sink_lost_total 1',
    'kernel_log_sent_total{receiver="central"} 8',
    'kernel_log_lost_total{receiver="central"} 0',
    'discovery_ready 1',
    'discovery_unreadable 1',
    `scrub_last_timestamp_seconds{volume="u-a"} ${Date.UTC(2026, 10, 20, 12) / 1000}`,
    'scrub_last_damaged{volume="u-a"} 1',
    'events_total{event="phase"} 1',
    'resources{type="BootEntries.runtime.nodecore.dev"} 2',
  ])
    t.true(lines.includes(`nodeos_${line}`), `${line}\n${text}`);
  formatted(t, text);
  for (const absent of [
    'service_healthy{service="ext-a"}',
    'watchdog_timeout_seconds ',
    'scrub_last_damaged{volume="u-b"}',
    'scrub_last_timestamp_seconds{volume="u-b"}',
    'release_state{work="install"',
    'resources{type="Disks.block.nodecore.dev"}',
  ])
    t.false(
      lines.some((line) => line.startsWith(`nodeos_${absent}`)),
      absent,
    );
  t.is(lines.filter((line) => /^nodeos_resource_changes_total \d+$/.test(line)).length, 1);
  const ends = /^nodeos_api_certificate_not_after_timestamp_seconds (\S+)$/mu.exec(text)?.[1];
  t.true(Number(ends) * 1000 > Date.now(), 'the certificate that maintenance shows');
});

test('calls that a node passes on are counted apart, with those that fail', async (t) => {
  const { near, far } = await twoNodes(t);
  const registry = new Registry();
  using _metrics = metricsOf(registry, near);
  const reader = await near.as(['os:reader']);
  await reader.version({ node: 'far' });
  await reader.version();
  await far.server.close();
  await t.throwsAsync(reader.version({ node: 'far' }), { code: 'ERR_API_UNREACHABLE' });
  const lines = (await registry.metrics()).split('\n');
  for (const line of [
    'passed_on_calls_total{method="MachineService/Version",code="OK"} 1',
    'passed_on_calls_total{method="MachineService/Version",code="UNAVAILABLE"} 1',
    'passed_on_call_duration_seconds_count 2',
    'calls_total{method="MachineService/Version",code="OK",role="os:reader"} 2',
  ])
    t.true(lines.includes(`nodeos_api_${line}`), line);
});

test('what features count is there by a few words: requests of workers, keys of volumes and logs', async (t) => {
  const directory = await temporaryDirectory(t);
  await using supervisor = await Supervisor.open({ directory, tethered: true });
  await mkdir(join(directory, 'a'));
  // What came before has left no file: its keeper had no more room.
  await writeFile(join(directory, 'a', `log.${'100'.padStart(20, '0')}`), 'newest\n');
  supervisor.claim('a');
  const node = await apiNode(t, { services: async () => supervisor });
  const [outcomes, keyTallies] = [new Tally(['signed']), new KeyTallies()];
  const registry = new Registry();
  using _metrics = metricsOf(registry, node, undefined, { signer: { outcomes }, keyTallies });
  await node.insecure().applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
  const reader = await node.as(['os:reader']);
  const lost: bigint[] = [];
  for (const fromOffset of [60n, 100n])
    for await (const piece of reader.services.logs({ id: 'a', fromBootId: 'boot', fromOffset }))
      lost.push(piece.lost);
  t.deepEqual(lost, [40n, 0n]);
  outcomes.add('proof');
  const failure = { slot: 0, code: 'ERR_KMS_TIMEOUT', message: 'late', permanence: 'transient' } as const;
  keyTallies.add({ opener: 'tpm', failures: [{ ...failure, kind: 'kms' }] });
  keyTallies.add({ opener: undefined, failures: [{ ...failure, kind: 'kms' }] });
  const lines = (await registry.metrics()).split('\n');
  for (const line of [
    'service_log_lost_bytes_total{service="a"} 40',
    'signer_requests_total{outcome="signed"} 0',
    'signer_requests_total{outcome="proof"} 1',
    'volume_unlocks_total{kind="tpm"} 1',
    'volume_unlocks_total{kind="kms"} 0',
    'volume_key_failures_total{kind="kms"} 2',
    'volume_key_failures_total{kind="static"} 0',
  ])
    t.true(lines.includes(`nodeos_${line}`), `${line}\n${lines.join('\n')}`);
});
