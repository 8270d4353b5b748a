import type { Store } from '@nodecore/state';
import type { Registry } from 'prom-client';

import { eventSinkStatuses } from '../events/definitions.ts';
import { kmsgLogStatuses } from '../kmsg-logs/definitions.ts';
import { linkStatuses } from '../link/definitions.ts';
import { probeStatuses } from '../probes/definitions.ts';
import { dnsUpstreams } from '../resolver/definitions.ts';
import { type FieldMetric, fieldMetrics } from './field-metrics.ts';

/** The node's fleet, and what it asks of others and sends to them. Who they are is in the configuration, so they are few. */
export function networkMetrics(registry: Registry, store: Store): void {
  fieldMetrics(registry, store, [...link, ...probes, ...upstreams, ...sink, ...receivers]);
}

const link: readonly FieldMetric[] = [
  {
    name: 'nodeos_link_connected',
    help: 'Whether the node is linked to its fleet; absent where it has none.',
    of: linkStatuses,
    read: ({ connected }) => connected,
  },
];

const ofProbe = { of: probeStatuses, label: 'probe' };

const probes: readonly FieldMetric[] = [
  {
    ...ofProbe,
    name: 'nodeos_probe_success',
    help: 'Whether a probe succeeds, by its threshold.',
    read: ({ success }) => success,
  },
  {
    ...ofProbe,
    name: 'nodeos_probe_failures',
    help: 'How often a probe has failed in a row.',
    read: ({ failures }) => failures,
  },
];

const ofUpstream = { of: dnsUpstreams, label: 'upstream' };

const upstreams: readonly FieldMetric[] = [
  {
    ...ofUpstream,
    name: 'nodeos_dns_upstream_healthy',
    help: 'Whether a name server is asked in its turn, and does not rest.',
    read: ({ healthy }) => healthy,
  },
  {
    ...ofUpstream,
    name: 'nodeos_dns_upstream_answers_total',
    help: 'Questions that a name server has answered.',
    read: ({ answers }) => answers,
  },
  {
    ...ofUpstream,
    name: 'nodeos_dns_upstream_failures_total',
    help: 'Questions that a name server has not answered.',
    read: ({ failures }) => failures,
  },
];

const sink: readonly FieldMetric[] = [
  {
    name: 'nodeos_event_sink_sent_total',
    help: 'Events that the collector has taken; absent where there is none.',
    of: eventSinkStatuses,
    read: ({ sent }) => sent,
  },
  {
    name: 'nodeos_event_sink_lost_total',
    help: 'Events that were dropped before the collector took them.',
    of: eventSinkStatuses,
    read: ({ lost }) => lost,
  },
  {
    name: 'nodeos_event_sink_waiting',
    help: 'Events that wait for the collector.',
    of: eventSinkStatuses,
    read: ({ waiting }) => waiting,
  },
];

const ofReceiver = { of: kmsgLogStatuses, label: 'receiver' };

const receivers: readonly FieldMetric[] = [
  {
    ...ofReceiver,
    name: 'nodeos_kernel_log_sent_total',
    help: 'Lines of the kernel that a receiver was sent.',
    read: ({ sent }) => sent,
  },
  {
    ...ofReceiver,
    name: 'nodeos_kernel_log_lost_total',
    help: 'Lines that the kernel had overwritten before a receiver was sent them.',
    read: ({ dropped }) => dropped,
  },
];
