import type { Inventory } from '@nodecore/block';
import type { Clock } from '@nodecore/waiting';

import type { Pending } from '../facts/facts.ts';
import type { Log } from '../log.ts';
import type { VolumeSpec } from '../spec.ts';
import type { VolumeStatus } from '../status.ts';
import type { Workshop } from '../work.ts';

/** What a volume's task asks about the world around the volume. */
export interface Surroundings {
  inventory(): Inventory | undefined;
  systemDisk(): string | undefined;
  intentsAvailable(): boolean;
  parentMounted(spec: VolumeSpec): boolean;
  pending(spec: VolumeSpec): readonly Pending[];
  /** Called with every new status. */
  publish(status: VolumeStatus): void;
  /** The volume no longer asks later ones to leave it space. */
  spaceSettled(): void;
}

/** The disks, for a step that is taken only when they are known. */
export function knownInventory(surroundings: Surroundings): Inventory {
  const inventory = surroundings.inventory();
  if (inventory === undefined) throw new TypeError('disks are looked at before they are known');
  return inventory;
}

export type TaskOptions = {
  readonly workshop: Workshop;
  readonly surroundings: Surroundings;
  readonly clock: Clock;
  readonly log: Log;
  readonly random?: () => number;
};
