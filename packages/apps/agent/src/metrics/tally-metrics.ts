import type { Registry } from 'prom-client';

import type { NodeServices } from '../services/node-services.ts';
import type { Signer } from '../signing/signer.ts';
import type { Tally } from '../tally.ts';
import type { KeyTallies } from '../volumes/key-tallies.ts';
import { counter } from './made.ts';

export type TallyMetricsParts = {
  readonly signer: Pick<Signer, 'outcomes'>;
  readonly keyTallies: KeyTallies;
  readonly services: Pick<NodeServices, 'lostLogs'>;
};

/** What features count by a few words, and no resource has. */
export function tallyMetrics(registry: Registry, { signer, keyTallies, services }: TallyMetricsParts): void {
  const made = (name: string, label: string, help: string, { counts }: Tally): void =>
    counter(registry, { name, help, labelNames: [label] }, () =>
      [...counts].map(([word, value]) => ({ labels: { [label]: word }, value })),
    );
  made(
    'nodeos_signer_requests_total',
    'outcome',
    'Certificates that workers have asked this node for, by how that ended.',
    signer.outcomes,
  );
  made(
    'nodeos_volume_unlocks_total',
    'kind',
    'How often a volume was opened, by the kind of key that did it.',
    keyTallies.unlocks,
  );
  made(
    'nodeos_volume_key_failures_total',
    'kind',
    'Keys that were tried on a volume, or fetched for it, and did not open it.',
    keyTallies.failures,
  );
  made(
    'nodeos_service_log_lost_bytes_total',
    'service',
    'Bytes of a log that were dropped before a caller who followed it had them.',
    services.lostLogs,
  );
}
