import { readFile } from 'node:fs/promises';

import { ApplyMode } from '@nodecore/api/machine';
import test from 'ava';
import { Registry } from 'prom-client';

import { controllerItems } from '../src/inspect/definitions.ts';
import { agentMetrics } from '../src/metrics/metrics.ts';
import { pressurePolicies } from '../src/pressure/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { volumeTrimStatuses } from '../src/trims/definitions.ts';
import { volumeStatuses } from '../src/volumes/definitions.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';
import { identity, secured } from './hostile-client.ts';

const types: Readonly<Record<string, string>> = {
  counter: 'counter',
  gauge: 'gauge',
  histogram: 'histogram',
};

const controllerCounts = () => [{ controller: 'discovery', runs: 7, failures: 1 }];

function inOrder<T extends { name?: string | undefined }>(list: readonly T[]): T[] {
  return list.toSorted((left, right) => String(left.name).localeCompare(String(right.name)));
}

test('docs/metrics.md has every metric with its labels, and no other; names follow the rules of Prometheus', async (t) => {
  const node = await apiNode(t);
  const registry = new Registry();
  using _metrics = agentMetrics(registry, {
    ...node,
    controllerCounts,
    api: node.server,
    captures: { count: 0 },
  });
  const page = await readFile(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(nodecore_\w+)` \| (\w+) \|(.*?)\| (.*?) \|$/gm)];
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
  for (const { name, type } of made) {
    t.regex(name, /^nodecore_[a-z0-9_]+$/);
    t.is(type === 'counter', name.endsWith('_total'), name);
    t.notRegex(name, /_(ms|millis|kb|mib|percent)(_|$)/);
  }
});

test('metrics count calls by method, code and role, and connections that were kept out', async (t) => {
  const node = await apiNode(t);
  const registry = new Registry();
  using _metrics = agentMetrics(registry, {
    ...node,
    controllerCounts,
    api: node.server,
    captures: { count: 2 },
  });
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
    t.true(lines.includes(`nodecore_${line}`), line);
  t.false(lines.some((line) => line.startsWith('nodecore_volume_size_bytes{volume="u-b"')));
  const [open = ''] = lines.filter((line) => line.startsWith('nodecore_process_open_fds '));
  t.true(Number(open.split(' ')[1]) > 5);
  t.true(lines.some((line) => /^nodecore_event_loop_delay_seconds\{quantile="0.99"\} /.test(line)));
});
