import type { Registry } from 'prom-client';

import type { Profiles } from '../profiles/profiles.ts';
import { counter, gauge } from './made.ts';

export type ProfileMetricsParts = {
  readonly profiles: Pick<Profiles, 'counts' | 'pauseSeconds' | 'running'>;
};

/** CPU profiles and heap snapshots of the agent: whoever looks at its delays sees what they come from. */
export function profileMetrics(registry: Registry, { profiles }: ProfileMetricsParts): void {
  gauge(
    registry,
    { name: 'nodeos_profiles_running', help: 'CPU profiles and heap snapshots that are being taken.' },
    () => [{ value: profiles.running === undefined ? 0 : 1 }],
  );
  counter(
    registry,
    {
      name: 'nodeos_profiles_total',
      help: 'CPU profiles and heap snapshots of the agent that were begun.',
      labelNames: ['kind'],
    },
    () => Object.entries(profiles.counts).map(([kind, value]) => ({ labels: { kind }, value })),
  );
  counter(
    registry,
    {
      name: 'nodeos_profile_pause_seconds_total',
      help: 'Time in which the agent did nothing else for them.',
    },
    () => [{ value: profiles.pauseSeconds }],
  );
}
