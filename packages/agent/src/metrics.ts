import { Observer } from '@nodecore/sys/observer';
import { Registry } from 'prom-client';

import { aborted } from './controllers/aborted.ts';
import { kvstoreMetrics } from './kvstore/metrics.ts';
import type { Log } from './log.ts';
import type { Store } from './resources/store.ts';
import type { Address } from './server/listener.ts';

/** Answers `/metrics` with what the resources say, and `/healthz`, at an address of loopback, until the signal fires. */
export async function serveMetrics(
  address: Address,
  { store, log }: { readonly store: Store; readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  const registry = new Registry();
  kvstoreMetrics(registry, store);
  const observer = new Observer({ contentType: registry.contentType, text: () => registry.metrics() });
  try {
    log.info(await observer.listen(address), 'metrics');
    await aborted(signal);
  } finally {
    await observer.close();
  }
}
