import type { NativeError, SnapshotDefect, SnapshotEnd, SnapshotVerdict } from '@nodecore/native/snapshot';

import { KvstoreError } from '../errors.ts';

/** What a database holds whose pages were found sound. */
export type SnapshotStatus = {
  /** Size of the file, with the digest behind the database. */
  readonly fileBytes: bigint;
  /** CRC-32C over all names, keys and values, as `etcdutl snapshot status` prints it in hexadecimal. */
  readonly hash: number;
  /** The last one. */
  readonly revision: bigint;
  /** Of all buckets, every revision of a key among them: what etcdutl counts up to 3.5. From 3.6 on it counts live keys. */
  readonly totalKeys: bigint;
  /** Entries of the keyspace: every revision of every key, deletions too. */
  readonly revisions: bigint;
  /** CRC-32C of the keyspace alone: of two files with the same keys and revisions it is the same. */
  readonly keyspaceHash: number;
  /** A compaction was begun and not ended: a member that starts with it goes on, and forgets revisions. */
  readonly compacting: boolean;
  /** Size of the database; etcdutl's total size. */
  readonly totalBytes: bigint;
  /** What of it is used; the rest a defragmentation would give back. */
  readonly usedBytes: bigint;
  /** Format of the database: 3.6 and newer say so. */
  readonly storageVersion: string | undefined;
  /** Of the cluster it came from, when the database says so. */
  readonly clusterVersion: string | undefined;
};

/** A snapshot that was found sound. */
export type SnapshotInfo = SnapshotStatus & {
  /** SHA-256 of the database, in hexadecimal. */
  readonly sha256: string;
  /**
   * `valid`: the digest that etcd put behind the database is that of the database. `absent`: there is none, as in a database
   * copied out of a data directory, and only its structure is proven, not what its values are. `wrong`: so it is, and it was
   * not to matter.
   */
  readonly digest: 'valid' | 'absent' | 'wrong';
};

/**
 * What the verdict means, with the digest.
 *
 * @throws {KvstoreError} that names the file, the page where there is one, and what to do.
 */
export function infoOf(file: string, verdict: SnapshotVerdict, skipDigest = false): SnapshotInfo {
  const { computed, stated, defect } = verdict;
  if (computed === undefined) throw new TypeError('the snapshot was not hashed');
  requireWhole(file, verdict);
  const isWrong = stated !== undefined && !computed.equals(stated);
  if (isWrong && !skipDigest) {
    const where = defect === undefined ? '' : `, ${wordsOf(defect)}`;
    throw damaged(
      'DIGEST',
      file,
      `its content is not what etcd sent: SHA-256 ${computed.toString('hex')}, expected ${stated.toString('hex')}${where}; copy it again, or take another`,
      defect,
    );
  }
  return {
    ...statusOf(file, verdict),
    sha256: computed.toString('hex'),
    digest: stated === undefined ? 'absent' : isWrong ? 'wrong' : 'valid',
  };
}

/** What the pages say. @throws {KvstoreError} that names the file, the page where there is one, and what to do. */
export function statusOf(file: string, verdict: SnapshotVerdict): SnapshotStatus {
  requireWhole(file, verdict);
  const { bytes, status, defect } = verdict;
  if (defect?.kind === 'no-keyspace') {
    throw damaged('FOREIGN', file, 'is a bbolt database without the keys of etcd; name another file', defect);
  }
  if (defect !== undefined || status === undefined) {
    const words = defect === undefined ? 'it was not seen whole' : wordsOf(defect);
    throw damaged('DAMAGED', file, `${words}; take another snapshot, or one from another member`, defect);
  }
  return {
    fileBytes: bytes,
    hash: status.hash,
    revision: status.revision,
    totalKeys: status.totalKeys,
    revisions: status.revisions,
    keyspaceHash: status.keyspaceHash,
    compacting: status.compacting,
    totalBytes: status.totalBytes,
    usedBytes: status.usedPages * BigInt(status.pageBytes),
    storageVersion: status.storageVersion,
    clusterVersion: status.clusterVersion,
  };
}

/** It is a database, and its end is there. */
function requireWhole(file: string, { bytes, ending, status, defect }: SnapshotVerdict): void {
  if (status === undefined && defect?.kind === 'no-database') {
    const words = bytes === 0n ? 'is empty' : 'is no database of etcd';
    throw damaged('FOREIGN', file, `${words}; name a file that "snapshot" wrote`);
  }
  if (defect?.kind === 'truncated' || ending === 'neither') {
    const wanted = defect?.kind === 'truncated' ? ` of at least ${defect.detail}` : '';
    throw damaged(
      'TRUNCATED',
      file,
      `ends after ${bytes} bytes${wanted}; copy it again, or take another`,
      defect,
    );
  }
}

/** The verdict, when everything was seen. @throws {KvstoreError} of what was in the way, or `signal.reason`. */
export function verdictOf(file: string, end: SnapshotEnd, signal: AbortSignal | undefined): SnapshotVerdict {
  if (end.end === 'seen') return end.verdict;
  signal?.throwIfAborted();
  if (end.end === 'failed') throw fileError(file, end.failure);
  throw new TypeError('the snapshot was abandoned by nobody');
}

/** A file that can't be read or written. */
export function fileError(file: string, cause: NativeError): KvstoreError {
  const code = fileCodes[cause.errno] ?? 'ERR_KVSTORE_FILE';
  const words = fileWords[cause.errno] ?? `can't be used (${cause.syscall}: ${cause.errno})`;
  return new KvstoreError(code, file, words, { cause });
}

const fileCodes: Readonly<Record<string, KvstoreError['code']>> = {
  EEXIST: 'ERR_KVSTORE_FILE_EXISTS',
  EAGAIN: 'ERR_KVSTORE_LOCKED',
  ENOSPC: 'ERR_KVSTORE_DISK_FULL',
  EDQUOT: 'ERR_KVSTORE_DISK_FULL',
  EFBIG: 'ERR_KVSTORE_DISK_FULL',
  ENOENT: 'ERR_KVSTORE_NOT_FOUND',
  ENOTSUP: 'ERR_KVSTORE_REFUSED',
  EOPNOTSUPP: 'ERR_KVSTORE_REFUSED',
};

const fileWords: Readonly<Record<string, string>> = {
  EEXIST: 'is there already; name another file, or allow to replace it',
  EAGAIN: 'is being written by somebody else; wait for that to end',
  ENOSPC: 'has no room on its disk, and nothing of it is left; make room, or name a file on another disk',
  EDQUOT: 'has no room within the quota, and nothing of it is left; raise it, or name a file elsewhere',
  EFBIG: 'is larger than a file may be there, and nothing of it is left; name a file elsewhere',
  ENOENT: 'is not there, or its directory is not',
  ENOTSUP: 'is no regular file, and nothing else is replaced; name another file',
  EOPNOTSUPP: 'is no regular file, and nothing else is replaced; name another file',
  ESTALE:
    'was changed by somebody while it was written, and nothing of it is kept; write where nobody else can',
};

function damaged(
  condition: 'FOREIGN' | 'TRUNCATED' | 'DIGEST' | 'DAMAGED',
  file: string,
  words: string,
  defect?: SnapshotDefect,
): KvstoreError {
  return new KvstoreError(`ERR_KVSTORE_SNAPSHOT_${condition}`, file, words, { page: defect?.page });
}

function wordsOf({ kind, page, detail }: SnapshotDefect): string {
  return `page ${page} ${defectWords[kind](detail)}`;
}

const defectWords: Readonly<Record<SnapshotDefect['kind'], (detail: bigint) => string>> = {
  'no-database': () => 'is no page of a database',
  truncated: (bytes) => `is missing, the database has ${bytes} bytes`,
  'page-number': (number) => `says that it is page ${number}`,
  'page-type': (flags) => `has the unexpected type 0x${flags.toString(16)}`,
  'element-bounds': (element) => `has its element ${element} outside of its place`,
  'key-order': (element) => `has its key ${element} out of order`,
  'key-range': () => 'has keys that belong elsewhere',
  'page-range': (number) => `refers to page ${number}, which there is not`,
  'page-shared': () => 'is used twice',
  depth: () => 'is deeper in the tree than any page can be',
  bucket: (element) => `has a damaged bucket as its element ${element}`,
  'revision-key': () => 'has a key that is no revision',
  'no-keyspace': () => 'leads to no keys of etcd',
  'free-page': () => 'is both free and used, or neither',
  'too-large': (bytes) => `is ${bytes} bytes long`,
  unseen: () => 'could not be looked at again',
  unreadable: (errno) => `can't be read from the disk (errno ${errno})`,
  'page-extent': (pages) => `claims ${pages} pages behind it, more than it needs`,
  'page-size': (bytes) => `says that pages have ${bytes} bytes, which none have`,
  record: (element) => `has as its element ${element} no record of its revision`,
};
