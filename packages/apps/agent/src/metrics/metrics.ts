import { Observer } from '@nodecore/sys/observer';
import { aborted } from '@nodecore/waiting';
import { Registry } from 'prom-client';

import type { Address } from '../address.ts';
import type { EventLog } from '../events/event-log.ts';
import { kvstoreMetrics } from '../kvstore/metrics.ts';
import type { Log } from '../log.ts';
import { apiMetrics, type ApiMetricsParts } from './api-metrics.ts';
import { captureMetrics, type CaptureMetricsParts } from './capture-metrics.ts';
import { controllerMetrics, type ControllerMetricsParts } from './controller-metrics.ts';
import { eventMetrics } from './event-metrics.ts';
import { machineMetrics } from './machine-metrics.ts';
import { networkMetrics } from './network-metrics.ts';
import { pressureMetrics } from './pressure-metrics.ts';
import { profileMetrics, type ProfileMetricsParts } from './profile-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { resourceMetrics, type ResourceMetricsParts } from './resource-metrics.ts';
import { storageMetrics } from './storage-metrics.ts';
import { tallyMetrics, type TallyMetricsParts } from './tally-metrics.ts';

export type MetricsParts = ApiMetricsParts &
  CaptureMetricsParts &
  ControllerMetricsParts &
  ProfileMetricsParts &
  ResourceMetricsParts &
  TallyMetricsParts & { readonly events: Pick<EventLog, 'counts'> };

/** Every metric of the agent; docs/metrics.md has them all. */
export function agentMetrics(registry: Registry, parts: MetricsParts): Disposable {
  const { store } = parts;
  for (const ofStore of [kvstoreMetrics, storageMetrics, pressureMetrics, machineMetrics, networkMetrics])
    ofStore(registry, store);
  resourceMetrics(registry, parts);
  controllerMetrics(registry, parts);
  apiMetrics(registry, parts);
  captureMetrics(registry, parts);
  profileMetrics(registry, parts);
  eventMetrics(registry, parts.events);
  tallyMetrics(registry, parts);
  return processMetrics(registry);
}

/** Answers `/metrics`, and `/healthz`, at an address of loopback, until the signal fires. */
export async function serveMetrics(
  address: Address,
  { log, ...parts }: MetricsParts & { readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  const registry = new Registry();
  using _metrics = agentMetrics(registry, parts);
  const observer = new Observer({ contentType: registry.contentType, text: () => registry.metrics() });
  try {
    log.info(await observer.listen(address), 'metrics');
    await aborted(signal);
  } finally {
    await observer.close();
  }
}
