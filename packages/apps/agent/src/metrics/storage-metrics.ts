import type { Store } from '@nodecore/state';
import type { Registry } from 'prom-client';

import { discoveredVolumes, discoveryStatuses, disks } from '../discovery/definitions.ts';
import { scrubStatuses } from '../scrubs/definitions.ts';
import { volumeTrimStatuses } from '../trims/definitions.ts';
import { volumeStatuses } from '../volumes/definitions.ts';
import { type FieldMetric, fieldMetrics, secondsOf } from './field-metrics.ts';
import { countedBy, gauge, type Spec, specsOf } from './made.ts';

/** Disks, volumes, trims and checks of filesystems. Volumes are named in the configuration, so there are few. */
export function storageMetrics(registry: Registry, store: Store): void {
  gauge(registry, { name: 'nodeos_disks', help: 'Disks of the node.' }, () => [
    { value: specsOf(store, disks).length },
  ]);
  gauge(
    registry,
    { name: 'nodeos_discovered_volumes', help: 'Disks and partitions that were looked at.' },
    () => [{ value: specsOf(store, discoveredVolumes).length }],
  );
  const phase = ['phase'];
  gauge(registry, { name: 'nodeos_volumes', help: 'Volumes in each phase.', labelNames: phase }, () =>
    countedBy(specsOf(store, volumeStatuses), 'phase'),
  );
  gauge(
    registry,
    { name: 'nodeos_volume_trims', help: 'Volumes by what their trims do.', labelNames: phase },
    () => countedBy(specsOf(store, volumeTrimStatuses), 'phase'),
  );
  fieldMetrics(registry, store, [...discovery, ...volumes, ...trims, ...scrubs]);
}

const discovery: readonly FieldMetric[] = [
  {
    name: 'nodeos_discovery_ready',
    help: 'Whether every disk that the kernel has announced was looked at.',
    of: discoveryStatuses,
    read: ({ ready }) => ready,
  },
  {
    name: 'nodeos_discovery_unreadable',
    help: 'Disks and partitions that could not be read.',
    of: discoveryStatuses,
    read: ({ unreadable }) => (Array.isArray(unreadable) ? unreadable.length : undefined),
  },
];

const label = 'volume';

const volumes: readonly FieldMetric[] = [
  {
    name: 'nodeos_volume_size_bytes',
    help: 'Size of a volume.',
    of: volumeStatuses,
    label,
    read: ({ size }) => size,
  },
];

const ofTrim = { of: volumeTrimStatuses, label };

const trims: readonly FieldMetric[] = [
  {
    ...ofTrim,
    name: 'nodeos_trim_last_timestamp_seconds',
    help: 'When its last trim began.',
    read: (spec) => secondsOf(lastTrim(spec)?.['started']),
  },
  {
    ...ofTrim,
    name: 'nodeos_trim_last_trimmed_bytes',
    help: 'What its last trim has freed.',
    read: (spec) => lastTrim(spec)?.['trimmedBytes'],
  },
  {
    ...ofTrim,
    name: 'nodeos_trim_last_failed',
    help: 'Whether its last trim failed.',
    read: (spec) => {
      const last = lastTrim(spec);
      return last === undefined ? undefined : last['outcome'] === 'failed';
    },
  },
];

const ofScrub = { of: scrubStatuses, label };

const scrubs: readonly FieldMetric[] = [
  {
    ...ofScrub,
    name: 'nodeos_scrub_last_timestamp_seconds',
    help: 'When the filesystem of a volume was checked last.',
    read: ({ last }) => secondsOf(last),
  },
  {
    ...ofScrub,
    name: 'nodeos_scrub_last_damaged',
    help: 'Whether that has found damage; absent where nothing could be checked.',
    read: ({ result }) => (result === 'clean' || result === 'damaged' ? result === 'damaged' : undefined),
  },
];

function lastTrim({ last }: Spec): Spec | undefined {
  return last === undefined ? undefined : (last as Spec);
}
