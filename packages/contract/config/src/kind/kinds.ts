import { type DocumentKind } from '../document.ts';
import { pciDriverRebind } from './hardware/pci-driver-rebind.ts';
import { environment } from './runtime/environment.ts';
import { etcFile } from './runtime/etc-file.ts';
import { hostname } from './runtime/hostname.ts';
import { kernelModule } from './runtime/kernel-module.ts';
import { eventSink, kmsgLog } from './runtime/logs.ts';
import { httpProbe, tcpProbe } from './runtime/probes.ts';
import { resolver } from './runtime/resolver.ts';
import { staticHost } from './runtime/static-host.ts';
import { sysctl } from './runtime/sysctl.ts';
import { sysfs } from './runtime/sysfs.ts';
import { timeSync } from './runtime/time-sync.ts';
import { udevRules } from './runtime/udev-rules.ts';
import { watchdogTimer } from './runtime/watchdog-timer.ts';
import { filesystemScrub } from './storage/filesystem-scrub.ts';
import { zswap } from './storage/zswap.ts';

/** Every kind that has a description, by area. The one place that knows them all. */
const described = [
  // runtime
  environment,
  etcFile,
  eventSink,
  hostname,
  httpProbe,
  kernelModule,
  kmsgLog,
  resolver,
  staticHost,
  sysctl,
  sysfs,
  tcpProbe,
  timeSync,
  udevRules,
  watchdogTimer,
  // storage
  filesystemScrub,
  zswap,
  // hardware
  pciDriverRebind,
] as const;

type Described = (typeof described)[number];

/** Which value each kind of document reads as. */
export type Values = {
  readonly [One in Described as One['kind']]: One extends DocumentKind<string, infer Value> ? Value : never;
};

/** Every kind that has a description, by its name. */
export const kinds: ReadonlyMap<string, DocumentKind<string, unknown>> = new Map(
  described.map((one) => [one.kind, one]),
);
