import type { Inventory } from '@nodecore/block';
import type { VolumeStatus } from '@nodecore/volumes';

/** What a decision about disks rests on; as old as the last look at them, so the kernel is asked again before anything is done. */
export type StorageFacts = {
  readonly inventory: Inventory;
  readonly statuses: readonly VolumeStatus[];
};
