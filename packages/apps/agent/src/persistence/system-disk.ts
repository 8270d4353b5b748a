import type { Inventory } from '@nodecore/block';
import { metaSizeBytes } from '@nodecore/meta';

import { PersistenceError } from './errors.ts';

/**
 * The META partition of the machine: by its label and its size of exactly 1 MiB.
 *
 * @throws {PersistenceError} when there is none, or more than one: to pick one would be to guess whose node this is.
 */
export function findMeta(inventory: Inventory): string {
  const found = inventory.volumes
    .filter(({ type, partitionLabel }) => type === 'partition' && partitionLabel === 'META')
    .filter(({ size }) => size === BigInt(metaSizeBytes))
    .map(({ devPath }) => devPath);
  const [path, ...others] = found;
  if (path === undefined) {
    throw new PersistenceError(
      'ERR_STATE_NO_SYSTEM_DISK',
      'no system disk: no partition of 1 MiB is labelled META',
    );
  }
  if (others.length > 0) {
    throw new PersistenceError(
      'ERR_STATE_AMBIGUOUS',
      `several system disks: META is on ${found.toSorted().join(', ')}`,
    );
  }
  return path;
}
