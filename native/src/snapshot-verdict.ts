import { systemCallError, type NativeError } from './errors.ts';
import type { AddonSnapshotResult, AddonSnapshotStatus, AddonSnapshotVerdict } from './snapshot-addon.ts';

/** In the order of `DefectKind` in snapshot/defect.h. */
const defectKinds = [
  'no-database', // no valid meta page
  'truncated', // `detail` bytes are expected
  'page-number', // the page says that it is page `detail`
  'page-type', // `detail` are the flags
  'element-bounds', // element `detail` reaches out of the page
  'key-order', // element `detail` is not behind the one before it
  'key-range', // the page has keys that don't belong below its parent
  'page-range', // it refers to page `detail`, which the database does not have
  'page-shared', // it is used twice
  'depth', // deeper than any tree can be
  'bucket', // a bucket where none belongs, or none where one belongs
  'revision-key', // a key that is no revision among revisions
  'no-keyspace', // a sound database without etcd's keys
  'free-page', // free and in use, or neither
  'too-large', // `detail` bytes can't be held at once
  'unseen', // its bytes have gone by, and there is no file to look at again
  'unreadable', // the file can't be read there; `detail` is the errno
  'page-extent', // it claims `detail` pages behind it, more than its elements need
  'page-size', // a meta page with a right sum says `detail` bytes, which no machine's pages have
  'record', // element `detail` is no record of its revision
] as const;

export type SnapshotDefect = {
  readonly kind: (typeof defectKinds)[number];
  readonly page: bigint;
  readonly detail: bigint;
};

/** What a sound database holds, as its pages say. */
export type SnapshotStatus = {
  /** CRC-32C over all names, keys and values, as `etcdutl snapshot status` prints it. */
  readonly hash: number;
  /** The last one. */
  readonly revision: bigint;
  /** Of all buckets, every revision of a key among them, as etcdutl counts up to 3.5. */
  readonly totalKeys: bigint;
  /** Of the keyspace: every revision of every key, deletions too. */
  readonly revisions: bigint;
  /** CRC-32C of the keyspace alone, as `HashKV` of etcd computes it where nothing was compacted. */
  readonly keyspaceHash: number;
  /** A compaction was begun and not ended: a member goes on with it when it starts. */
  readonly compacting: boolean;
  /** Size of the database without a digest behind it. */
  readonly totalBytes: bigint;
  readonly usedPages: bigint;
  readonly pages: bigint;
  readonly pageBytes: number;
  /** As the database says, since etcd 3.6. */
  readonly storageVersion?: string;
  readonly clusterVersion?: string;
};

/** Findings about all bytes of a database or snapshot. */
export type SnapshotVerdict = {
  readonly bytes: bigint;
  /**
   * How they end: with the digest that etcd puts behind a snapshot, with a page as a database copied out of a data
   * directory, or with neither.
   */
  readonly ending: 'digest' | 'page' | 'neither';
  /** SHA-256 of the database, without the digest behind it; only when it was hashed. */
  readonly computed?: Buffer;
  /** The digest behind it; with the ending `digest` only, and when it was hashed. */
  readonly stated?: Buffer;
  readonly defect?: SnapshotDefect;
  readonly status?: SnapshotStatus;
};

/** How a check ended: all bytes seen, a system call failed, or abandoned by its caller. */
export type SnapshotEnd =
  | { readonly end: 'seen'; readonly verdict: SnapshotVerdict }
  | { readonly end: 'failed'; readonly failure: NativeError }
  | { readonly end: 'abandoned' };

/** A verdict counts even after `abandon`, a failed system call only without it; `on` names the file in the error's message. */
export function toEnd({ abandoned, failure, verdict }: AddonSnapshotResult, on: string): SnapshotEnd {
  if (verdict !== undefined) return { end: 'seen', verdict: toVerdict(verdict) };
  if (failure !== undefined && !abandoned) return { end: 'failed', failure: systemCallError(failure, on) };
  return { end: 'abandoned' };
}

const endings = ['digest', 'page', 'neither'] as const;

function toVerdict({
  bytes,
  ending,
  computed,
  stated,
  defect,
  status,
}: AddonSnapshotVerdict): SnapshotVerdict {
  return {
    bytes,
    ending: endings[ending],
    ...(computed === undefined ? {} : { computed }),
    ...(stated === undefined ? {} : { stated }),
    ...(defect === undefined ? {} : { defect: { ...defect, kind: defectKinds[defect.kind]! } }),
    ...(status === undefined ? {} : { status: toStatus(status) }),
  };
}

function toStatus({ storageVersion, clusterVersion, ...numbers }: AddonSnapshotStatus): SnapshotStatus {
  return {
    ...numbers,
    ...(storageVersion.length === 0 ? {} : { storageVersion: storageVersion.toString() }),
    ...(clusterVersion.length === 0 ? {} : { clusterVersion: clusterVersion.toString() }),
  };
}
