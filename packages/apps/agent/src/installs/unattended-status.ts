import type { Json } from '@nodecore/state';

import type { UpgradeEvent } from '../upgrades/upgrade-event.ts';

/** In this order; `failed` is left when what was wrong is not any more. */
export type UnattendedPhase = 'pending' | 'installing' | 'waitingForReboot' | 'installed' | 'failed';

/** The spec of an `UnattendedInstallStatus`. */
export type UnattendedStatus = {
  readonly phase: UnattendedPhase;
  /** The one that the selector matches. */
  readonly disk?: string;
  /** What is installed, `v1.14.0`. */
  readonly version?: string;
  /** What it waits for, does, or failed by. */
  readonly message?: string;
  /** Of an installation that goes on. */
  readonly step?: UpgradeEvent['phase'];
  readonly doneBytes?: number;
  readonly totalBytes?: number;
};

/** What an event of the installation makes of it. */
export function withEvent(status: UnattendedStatus, event: UpgradeEvent): UnattendedStatus {
  const { phase: step, message, doneBytes, totalBytes, version = status.version } = event;
  const { phase, disk } = status;
  return {
    phase,
    step,
    message,
    ...(disk !== undefined && { disk }),
    ...(version !== undefined && { version }),
    ...(doneBytes !== undefined && { doneBytes }),
    ...(totalBytes !== undefined && { totalBytes }),
  };
}

/** As a resource. */
export function unattendedSpec(status: UnattendedStatus): Json {
  return { ...status };
}
