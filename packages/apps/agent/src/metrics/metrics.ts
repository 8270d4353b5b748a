import { Observer } from '@nodecore/sys/observer';
import { aborted } from '@nodecore/waiting';
import { Registry } from 'prom-client';

import { kvstoreMetrics } from '../kvstore/metrics.ts';
import type { Log } from '../log.ts';
import { apiMetrics, type ApiMetricsParts } from './api-metrics.ts';
import { controllerMetrics, type ControllerMetricsParts } from './controller-metrics.ts';
import { nodeMetrics } from './node-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import type { Address } from '../address.ts';

export type MetricsParts = ApiMetricsParts & ControllerMetricsParts;

/** Every metric of the agent; docs/metrics.md has them all. */
export function agentMetrics(registry: Registry, parts: MetricsParts): Disposable {
  kvstoreMetrics(registry, parts.store);
  nodeMetrics(registry, parts.store);
  controllerMetrics(registry, parts);
  apiMetrics(registry, parts);
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
