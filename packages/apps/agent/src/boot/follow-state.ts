import { aborted } from '@nodecore/waiting';

import type { Configurator } from '../configuration/configurator.ts';
import type { Log } from '../log.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { Address } from '../address.ts';
import type { StateVolume } from '../persistence/state-volume.ts';

export type FollowStateParts = {
  readonly log: Log;
  readonly stateVolume: Pick<StateVolume, 'search'>;
  readonly configurator: Pick<Configurator, 'active' | 'boot'>;
  readonly maintenance: Pick<Maintenance, 'begin'>;
  readonly address: () => Address;
};

/**
 * Finds the state of earlier days, or lets maintenance begin. A STATE that is locked, or a configuration that can't be
 * read, leaves the node closed: to begin maintenance would hand it, with its data, to the first caller.
 */
export async function followState(
  { log, stateVolume, configurator, maintenance, address }: FollowStateParts,
  signal: AbortSignal,
): Promise<void> {
  for await (const finding of stateVolume.search(signal)) {
    if (finding.kind === 'locked') {
      log.warn({ code: finding.code }, `STATE is there and not open: ${finding.reason}`);
      continue;
    }
    const configured = finding.kind === 'found' && (await configurator.boot(finding.directory));
    if (configured || configurator.active !== undefined) continue;
    const reason = finding.kind === 'found' ? 'STATE holds no configuration' : finding.reason;
    await maintenance.begin(reason, address());
  }
  await aborted(signal);
}
