import { status } from '@grpc/grpc-js';
import { Counter, Histogram, type Registry } from 'prom-client';

import type { AuditTrail } from '../server/audit-trail.ts';
import type { Caller } from '../server/caller.ts';
import type { ApiServer } from '../server/server.ts';
import { counter, gauge } from './made.ts';

export type ApiMetricsParts = {
  readonly api: Pick<ApiServer, 'observe' | 'counts' | 'certificateEndsMs'>;
  readonly audit: Pick<AuditTrail, 'written' | 'dropped'>;
};

const buckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/** Who calls, how it ends and how long it takes; and who is kept out. Methods, codes, roles and reasons are few. */
export function apiMetrics(registry: Registry, { api, audit }: ApiMetricsParts): void {
  const registers = [registry];
  const calls = new Counter({
    name: 'nodeos_api_calls_total',
    help: 'Calls that have ended.',
    labelNames: ['method', 'code', 'role'],
    registers,
  });
  const durations = new Histogram({
    name: 'nodeos_api_call_duration_seconds',
    help: 'How long calls took; of a stream, until it ended.',
    labelNames: ['method'],
    buckets,
    registers,
  });
  const passedOn = new Counter({
    name: 'nodeos_api_passed_on_calls_total',
    help: 'Calls for other nodes that have ended; they are among all calls, too.',
    labelNames: ['method', 'code'],
    registers,
  });
  const passedOnDurations = new Histogram({
    name: 'nodeos_api_passed_on_call_duration_seconds',
    help: 'How long calls for other nodes took, with the way there.',
    buckets,
    registers,
  });
  const refusals = new Counter({
    name: 'nodeos_api_refusals_total',
    help: 'Connections that were not let in, or that the node has ended.',
    labelNames: ['reason'],
    registers,
  });
  api.observe({
    called: ({ path, code, durationMs, caller, node }) => {
      const method = path.replace(/^\/nodecore\.v1\./, '');
      calls.inc({ method, code: status[code], role: roleOf(caller) });
      durations.observe({ method }, durationMs / 1000);
      if (node === undefined) return;
      passedOn.inc({ method, code: status[code] });
      passedOnDurations.observe(durationMs / 1000);
    },
    refused: (reason) => refusals.inc({ reason }),
  });
  gauge(registry, { name: 'nodeos_api_connections', help: 'Connections that are open.' }, () => [
    { value: api.counts().connections },
  ]);
  gauge(
    registry,
    { name: 'nodeos_api_handshakes', help: 'Connections that have not shown yet who they are.' },
    () => [{ value: api.counts().handshakes }],
  );
  gauge(registry, { name: 'nodeos_api_calls_running', help: 'Calls that are served.' }, () => [
    { value: api.counts().calls },
  ]);
  gauge(
    registry,
    {
      name: 'nodeos_api_certificate_not_after_timestamp_seconds',
      help: 'When the certificate ends that the node shows.',
    },
    () => {
      const { certificateEndsMs: endsMs } = api;
      return endsMs === undefined ? [] : [{ value: endsMs / 1000 }];
    },
  );
  counter(registry, { name: 'nodeos_audit_records_total', help: 'Records that were written.' }, () => [
    { value: audit.written },
  ]);
  counter(registry, { name: 'nodeos_audit_dropped_total', help: 'Records that were counted only.' }, () => [
    { value: audit.dropped },
  ]);
}

/** The mightiest: a certificate may have several. */
function roleOf(caller: Caller | undefined): string {
  if (caller === undefined) return 'none';
  if (caller.maintenance) return 'anonymous';
  const [role = 'none'] = [
    'os:admin',
    'os:operator',
    'os:reader',
    'os:capture',
    'os:kvstore:backup',
    'os:meta:writer',
  ].filter((each) => caller.roles.has(each));
  return role;
}
