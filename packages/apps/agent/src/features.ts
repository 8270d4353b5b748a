import type { ResourceDefinition } from '@nodecore/api';

import { boot } from './boot/feature.ts';
import { captures } from './captures/feature.ts';
import { certificates } from './certificates/feature.ts';
import { cgroups } from './cgroups/feature.ts';
import { configuration } from './configuration/feature.ts';
import { bootConfiguration } from './configuration/sources-feature.ts';
import { consoleDashboard } from './console/feature.ts';
import { containers } from './containers/feature.ts';
import { deviceRules } from './device-rules/feature.ts';
import { dhcp } from './dhcp/feature.ts';
import { discovery } from './discovery/feature.ts';
import { environment } from './environment/feature.ts';
import { etc } from './etc/feature.ts';
import { events } from './events/feature.ts';
import { eventSink } from './events/sink-feature.ts';
import { extensionServices } from './extension-services/feature.ts';
import { files } from './files/feature.ts';
import { init } from './init/feature.ts';
import { installs } from './installs/feature.ts';
import { installRequests } from './installs/requests-feature.ts';
import { inspect } from './inspect/feature.ts';
import { kernel } from './kernel/feature.ts';
import { kernelLog } from './kernel-log/feature.ts';
import { kexec } from './kexec/feature.ts';
import { keys, keySurroundings } from './keys/feature.ts';
import { kvstore } from './kvstore/feature.ts';
import { kmsgLogs } from './kmsg-logs/feature.ts';
import { lifecycle } from './lifecycle/feature.ts';
import { machineStatusFeature } from './lifecycle/machine-status-feature.ts';
import { link } from './link/feature.ts';
import { machine } from './machine/feature.ts';
import { maintenance } from './maintenance/feature.ts';
import { measuredBoot } from './measured-boot/feature.ts';
import { meta } from './meta/feature.ts';
import { metrics } from './metrics/feature.ts';
import { mounts } from './mounts/feature.ts';
import { names } from './names/feature.ts';
import { persistence } from './persistence/feature.ts';
import { pressure } from './pressure/feature.ts';
import { probes } from './probes/feature.ts';
import { profiles } from './profiles/feature.ts';
import { processes } from './processes/feature.ts';
import { proofs } from './proofs/feature.ts';
import { proxy } from './proxy/feature.ts';
import { resets } from './resets/feature.ts';
import { resolver } from './resolver/feature.ts';
import { resources } from './resources/feature.ts';
import { scrubs } from './scrubs/feature.ts';
import { security } from './security/feature.ts';
import { api } from './api/feature.ts';
import type { Feature } from './supervisor/feature.ts';
import { signing } from './signing/feature.ts';
import { services } from './services/feature.ts';
import { sockets } from './sockets/feature.ts';
import { stats } from './stats/feature.ts';
import { serviceLogs } from './services/log-feature.ts';
import { system } from './system/feature.ts';
import { time } from './time/feature.ts';
import { upgrades } from './upgrades/feature.ts';
import { bootMenu } from './upgrades/menu-feature.ts';
import { trims } from './trims/feature.ts';
import { volumes } from './volumes/feature.ts';
import { watchdog } from './watchdog/feature.ts';
import { wipes } from './wipes/feature.ts';

/**
 * What the agent is made of. Where needs leave the order open it is that of the list: a configuration is prepared from the top
 * to the bottom, and everything ends from the bottom to the top.
 */
export const features: readonly Feature<unknown>[] = [
  resources,
  system,
  services,
  extensionServices,
  kernel,
  deviceRules,
  environment,
  etc,
  names,
  resolver,
  time,
  watchdog,
  probes,
  kmsgLogs,
  dhcp,
  discovery,
  persistence,
  keys,
  volumes,
  events,
  eventSink,
  mounts,
  serviceLogs,
  api,
  certificates,
  proxy,
  signing,
  maintenance,
  keySurroundings,
  kvstore,
  trims,
  scrubs,
  pressure,
  captures,
  cgroups,
  proofs,
  wipes,
  lifecycle,
  resets,
  bootConfiguration,
  installRequests,
  configuration,
  machine,
  machineStatusFeature,
  consoleDashboard,
  bootMenu,
  upgrades,
  kexec,
  installs,
  meta,
  init,
  link,
  inspect,
  profiles,
  files,
  kernelLog,
  stats,
  processes,
  sockets,
  containers,
  security,
  measuredBoot,
  metrics,
  boot,
];

/** Every type of resource that a feature writes, each once. */
export const definitions: readonly ResourceDefinition[] = [
  ...new Set(features.flatMap(({ writes }) => writes)),
].toSorted((a, b) => (a.type < b.type ? -1 : 1));
