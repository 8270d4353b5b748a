import type { Store } from '@nodecore/state';
import type { Registry } from 'prom-client';

import { pressurePolicies } from '../pressure/definitions.ts';
import { fieldMetrics } from './field-metrics.ts';
import { countedBy, gauge, specsOf } from './made.ts';

/** What the pressure policies of the configuration do. */
export function pressureMetrics(registry: Registry, store: Store): void {
  gauge(
    registry,
    { name: 'nodeos_pressure_policies', help: 'Pressure policies in each phase.', labelNames: ['phase'] },
    () => countedBy(specsOf(store, pressurePolicies), 'phase'),
  );
  const ofPolicy = { of: pressurePolicies, label: 'policy' };
  fieldMetrics(registry, store, [
    {
      ...ofPolicy,
      name: 'nodeos_pressure_alerts_total',
      help: 'How often the kernel has alerted.',
      read: ({ alerts }) => alerts,
    },
    {
      ...ofPolicy,
      name: 'nodeos_pressure_held_cgroups',
      help: 'Cgroups that are frozen or limited.',
      read: ({ held }) => (Array.isArray(held) ? held.length : undefined),
    },
  ]);
}
