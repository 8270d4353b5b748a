import type { Store } from '@nodecore/state';
import type { Registry } from 'prom-client';

import { disks } from '../discovery/definitions.ts';
import { pressurePolicies } from '../pressure/definitions.ts';
import { volumeTrimStatuses } from '../trims/definitions.ts';
import { volumeStatuses } from '../volumes/definitions.ts';
import { countedBy, counter, gauge, type Spec, specsOf, type Value } from './made.ts';

/** What the resources say of disks, volumes, trims and pressure. Names come from the configuration, so there are few. */
export function nodeMetrics(registry: Registry, store: Store): void {
  const phase = ['phase'];
  gauge(registry, { name: 'nodecore_disks', help: 'Disks of the node.' }, () => [
    { value: specsOf(store, disks).length },
  ]);
  gauge(registry, { name: 'nodecore_volumes', help: 'Volumes in each phase.', labelNames: phase }, () =>
    countedBy(specsOf(store, volumeStatuses), 'phase'),
  );
  gauge(
    registry,
    { name: 'nodecore_volume_size_bytes', help: 'Size of a volume.', labelNames: ['volume'] },
    () => valuesOf(specsOf(store, volumeStatuses), 'volume', ({ size }) => size),
  );
  gauge(
    registry,
    { name: 'nodecore_volume_trims', help: 'Volumes by what their trims do.', labelNames: phase },
    () => countedBy(specsOf(store, volumeTrimStatuses), 'phase'),
  );
  const lastTrim = (read: (last: Spec) => unknown): readonly Value[] =>
    valuesOf(specsOf(store, volumeTrimStatuses), 'volume', ({ last }) =>
      last === undefined ? undefined : read(last as Spec),
    );
  const volume = ['volume'];
  gauge(
    registry,
    { name: 'nodecore_trim_last_timestamp_seconds', help: 'When its last trim began.', labelNames: volume },
    () => lastTrim(({ started }) => Date.parse(String(started)) / 1000),
  );
  gauge(
    registry,
    { name: 'nodecore_trim_last_trimmed_bytes', help: 'What its last trim has freed.', labelNames: volume },
    () => lastTrim(({ trimmedBytes }) => trimmedBytes),
  );
  gauge(
    registry,
    { name: 'nodecore_trim_last_failed', help: 'Whether its last trim failed.', labelNames: volume },
    () => lastTrim(({ outcome }) => Number(outcome === 'failed')),
  );
  gauge(
    registry,
    { name: 'nodecore_pressure_policies', help: 'Pressure policies in each phase.', labelNames: phase },
    () => countedBy(specsOf(store, pressurePolicies), 'phase'),
  );
  const policy = ['policy'];
  counter(
    registry,
    { name: 'nodecore_pressure_alerts_total', help: 'How often the kernel has alerted.', labelNames: policy },
    () => valuesOf(specsOf(store, pressurePolicies), 'policy', ({ alerts }) => alerts),
  );
  gauge(
    registry,
    {
      name: 'nodecore_pressure_held_cgroups',
      help: 'Cgroups that are frozen or limited.',
      labelNames: policy,
    },
    () =>
      valuesOf(specsOf(store, pressurePolicies), 'policy', ({ held }) =>
        Array.isArray(held) ? held.length : undefined,
      ),
  );
}

function valuesOf(
  specs: readonly (readonly [string, Spec])[],
  label: string,
  read: (spec: Spec) => unknown,
): readonly Value[] {
  return specs.flatMap(([id, spec]) => {
    const value = read(spec);
    return value === undefined ? [] : [{ labels: { [label]: id }, value: Number(value) }];
  });
}
