import type { Inventory } from '@nodecore/block';
import type { VolumeSpec, VolumeStatus } from '@nodecore/volumes';
import type { Clock, Latest } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { Meta } from './meta.ts';
import type { ResetEffects } from './perform-reset.ts';
import type { StateDirectory } from './state-directory.ts';

/** What is asked of the life cycle of volumes. */
export type StateVolumes = {
  /** Called once, when the machine is known. */
  start(machineUuid: string): void;
  apply(specs: readonly VolumeSpec[]): void;
  statuses(): readonly VolumeStatus[];
  follow(id: string, signal: AbortSignal): AsyncGenerator<VolumeStatus, void, undefined>;
};

export type StateVolumeParts = {
  readonly log: Log;
  readonly inventory: Latest<Inventory>;
  readonly volumes: StateVolumes;
  /** Called with the authorities that META has for key servers, before STATE is opened. */
  readonly trust: (roots: readonly string[]) => void;
  /** Where STATE is mounted; elsewhere in tests. */
  readonly target?: string;
  readonly firmwareUuid?: () => Promise<string | undefined>;
  /** How long STATE may take to be made and mounted for the first configuration. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
  /** Values that the image carries for META. */
  readonly embeddedMeta?: () => Promise<ReadonlyMap<number, Uint8Array>>;
  /**
   * Called once, when META was read and before STATE is looked at.
   *
   * @returns why STATE is not looked at in this boot; undefined to go on.
   */
  readonly beforeState?: (meta: Meta, inventory: Inventory) => Promise<string | undefined>;
  /** What a reset wipes; this machine's disks unless given. */
  readonly disks?: ResetEffects;
};

/** What became of the search for the state of earlier days. */
export type StateFinding =
  | { readonly kind: 'found'; readonly directory: StateDirectory }
  /** It is there and can't be opened now: what it holds is somebody's, and tried again. */
  | { readonly kind: 'locked'; readonly code: string; readonly reason: string }
  | { readonly kind: 'absent'; readonly reason: string };
