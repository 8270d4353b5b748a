import { captures } from '../captures/feature.ts';
import { disks } from '../discovery/definitions.ts';
import { controllerItems } from '../inspect/definitions.ts';
import { kvstoreMembers, kvstoreStatuses } from '../kvstore/kvstore-definitions.ts';
import { node } from '../node.ts';
import { pressurePolicies } from '../pressure/definitions.ts';
import { api } from '../api/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumeTrimStatuses } from '../trims/definitions.ts';
import { volumeStatuses } from '../volumes/definitions.ts';

/** Answers `/metrics`, where the options say so. */
export const metrics: Feature<undefined> = feature({
  name: 'metrics',
  needs: { node, api, captures },
  reads: [
    controllerItems,
    disks,
    kvstoreMembers,
    kvstoreStatuses,
    pressurePolicies,
    volumeStatuses,
    volumeTrimStatuses,
  ],
  make: ({ node: { options, store, log, controllerCounts }, api: { server, audit }, captures: running }) => {
    const address = options.metrics;
    if (address === undefined) return { handle: undefined };
    const run = async (signal: AbortSignal): Promise<void> => {
      // Its library is a twelfth of what an agent loads, and few ask for it.
      const { serveMetrics } = await import('./metrics.ts');
      const parts = { store, log, controllerCounts, api: server, audit, captures: running };
      await serveMetrics(address, parts, signal);
    };
    return { handle: undefined, run };
  },
});
