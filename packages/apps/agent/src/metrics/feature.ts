import { captures } from '../captures/feature.ts';
import { discoveredVolumes, discoveryStatuses, disks } from '../discovery/definitions.ts';
import { eventSinkStatuses } from '../events/definitions.ts';
import { eventLog } from '../events/feature.ts';
import { controllerItems } from '../inspect/definitions.ts';
import { kmsgLogStatuses } from '../kmsg-logs/definitions.ts';
import {
  kvstoreDefragmentations,
  kvstoreMembers,
  kvstoreSnapshots,
  kvstoreStatuses,
} from '../kvstore/kvstore-definitions.ts';
import { machineStatuses } from '../lifecycle/definitions.ts';
import { linkStatuses } from '../link/definitions.ts';
import { node } from '../node.ts';
import { pressurePolicies } from '../pressure/definitions.ts';
import { api } from '../api/feature.ts';
import { probeStatuses } from '../probes/definitions.ts';
import { dnsUpstreams } from '../resolver/definitions.ts';
import { profiles } from '../profiles/feature.ts';
import { catalog } from '../resources/feature.ts';
import { scrubStatuses } from '../scrubs/definitions.ts';
import { serviceStatuses } from '../services/definitions.ts';
import { services } from '../services/feature.ts';
import { signing } from '../signing/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { timeStatuses } from '../time/definitions.ts';
import { volumeTrimStatuses } from '../trims/definitions.ts';
import { bootEntries } from '../upgrades/definitions.ts';
import { installStatuses, upgradeStatuses } from '../upgrades/release-status.ts';
import { volumeStatuses } from '../volumes/definitions.ts';
import { volumes } from '../volumes/feature.ts';
import { watchdogTimerStatuses } from '../watchdog/definitions.ts';

/** Answers `/metrics`, where the options say so. */
export const metrics: Feature<undefined> = feature({
  name: 'metrics',
  needs: { node, api, captures, catalog, eventLog, profiles, services, signing, volumes },
  reads: [
    bootEntries,
    controllerItems,
    discoveredVolumes,
    discoveryStatuses,
    disks,
    dnsUpstreams,
    eventSinkStatuses,
    installStatuses,
    kmsgLogStatuses,
    kvstoreDefragmentations,
    kvstoreMembers,
    kvstoreSnapshots,
    kvstoreStatuses,
    linkStatuses,
    machineStatuses,
    pressurePolicies,
    probeStatuses,
    scrubStatuses,
    serviceStatuses,
    timeStatuses,
    upgradeStatuses,
    volumeStatuses,
    volumeTrimStatuses,
    watchdogTimerStatuses,
  ],
  make: ({ node: context, api: { server, audit }, captures: running, ...others }) => {
    const { catalog: types, eventLog: events, profiles: taken, signing: signer, volumes: opened } = others;
    const { options, store, log, controllerCounts } = context;
    const address = options.metrics;
    if (address === undefined) return { handle: undefined };
    const run = async (signal: AbortSignal): Promise<void> => {
      // Its library is a twelfth of what an agent loads, and few ask for it.
      const { serveMetrics } = await import('./metrics.ts');
      const reads = { store, catalog: types, events, controllerCounts };
      const tallies = { signer, keyTallies: opened.keyTallies, services: others.services };
      const parts = { ...reads, ...tallies, log, api: server, audit, captures: running, profiles: taken };
      await serveMetrics(address, parts, signal);
    };
    return { handle: undefined, run };
  },
});
