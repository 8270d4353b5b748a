import type { DiskIdentity } from '@nodecore/volumes';

import { PersistenceError } from './errors.ts';

/** A partition that is to go, with what is on it. */
export type LabelledPartition = {
  readonly label: string;
  readonly disk: DiskIdentity;
  readonly partitionGuid: string;
};

/**
 * A reset that has begun, as META keeps it from before the first byte is wiped until the last: a crash at any moment is made
 * good by the next start.
 */
export type ResetRecord = {
  /** `wipe`: some of what is named may be wiped. `forget`: all of it is, and STATE still has to forget its volumes. */
  readonly stage: 'wipe' | 'forget';
  readonly partitions: readonly LabelledPartition[];
  readonly disks: readonly DiskIdentity[];
  /** Volumes that are gone with them. */
  readonly forget: readonly string[];
  /** The values of META go as well. */
  readonly wipesMeta: boolean;
};

/** For META. */
export function encodeReset(record: ResetRecord): Uint8Array {
  return Buffer.from(
    JSON.stringify(record, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
  );
}

/** @throws {PersistenceError} `ERR_STATE_DAMAGED`: a reset that is not understood must not pass for none. */
export function decodeReset(bytes: Uint8Array | undefined): ResetRecord | undefined {
  if (bytes === undefined) return undefined;
  try {
    const stored = JSON.parse(Buffer.from(bytes).toString()) as Stored;
    return {
      ...stored,
      partitions: stored.partitions.map((each) => ({ ...each, disk: decodeDisk(each.disk) })),
      disks: stored.disks.map(decodeDisk),
    };
  } catch (cause) {
    throw new PersistenceError('ERR_STATE_DAMAGED', 'META: the record of a reset can not be read', { cause });
  }
}

type StoredDisk = Omit<DiskIdentity, 'size'> & { readonly size: string };

type Stored = Omit<ResetRecord, 'partitions' | 'disks'> & {
  readonly partitions: readonly (Omit<LabelledPartition, 'disk'> & { readonly disk: StoredDisk })[];
  readonly disks: readonly StoredDisk[];
};

function decodeDisk({ size, ...rest }: StoredDisk): DiskIdentity {
  return { ...rest, size: BigInt(size) };
}
