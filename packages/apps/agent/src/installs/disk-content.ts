import type { Disk, Partition, PartitionTable } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';

import type { InstallDisks } from './disks.ts';
import { bootLabels, constructionMark } from './layout.ts';

/** What is on a disk, as far as an installation has to know. */
export type DiskContent =
  /** Proven. */
  | { readonly kind: 'empty' }
  /** A table with nothing in it but what an installation that broke off has begun. */
  | { readonly kind: 'begun'; readonly partitions: readonly Partition[] }
  | { readonly kind: 'occupied'; readonly reasons: readonly string[] };

/** Looks; nothing is changed. What is not known counts as somebody's. */
export async function contentOf(
  { devPath }: Pick<Disk, 'devPath'>,
  disks: Pick<InstallDisks, 'emptiness' | 'table' | 'isMarked'>,
): Promise<DiskContent> {
  const proof = await disks.emptiness(devPath);
  if (proof.empty) return { kind: 'empty' };
  const table = await tableOf(devPath, disks);
  if (table === undefined || table.damage !== undefined) return { kind: 'occupied', reasons: proof.reasons };
  for (const partition of table.partitions) {
    const { label, partitionGuid, underConstruction } = partition;
    const isOurs =
      bootLabels.has(label) &&
      underConstruction &&
      (await disks.isMarked(devPath, partition, constructionMark(label, partitionGuid)));
    if (!isOurs) return { kind: 'occupied', reasons: proof.reasons };
  }
  if (table.partitions.length > 0) return { kind: 'begun', partitions: table.partitions };
  // Who has lost the entries may still have what they stood for.
  const rest = await disks.emptiness(devPath, { emptyTable: true });
  return rest.empty ? { kind: 'begun', partitions: [] } : { kind: 'occupied', reasons: rest.reasons };
}

async function tableOf(
  path: string,
  disks: Pick<InstallDisks, 'table'>,
): Promise<PartitionTable | undefined> {
  try {
    return await disks.table(path);
  } catch (error) {
    if (codeOf(error) === 'ERR_BLOCK_FOREIGN_TABLE') return undefined;
    throw error;
  }
}
