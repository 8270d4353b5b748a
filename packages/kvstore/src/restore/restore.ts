import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isKvstoreError, KvstoreError } from '../errors.ts';
import type { SnapshotInfo } from '../snapshot/info.ts';
import { verifySnapshot, type VerifySnapshotOptions } from '../snapshot/verify.ts';
import { runEtcdutl, type EtcdutlOptions } from './etcdutl.ts';
import { lockHolder } from './in-use.ts';
import { layoutOf } from './layout.ts';
import { resumeRestore, switchOver } from './switch.ts';
import { exists, settle, sync } from './tree.ts';

/** Who is in the cluster that begins with the snapshot. */
export type RestoredCluster = {
  /** Peer URLs of each member, by its name. */
  readonly members: Readonly<Record<string, readonly string[]>>;
  /**
   * Part of the cluster's identity: the same for all its members, and of no other cluster. A random one unless given, which
   * is for clusters of one member only.
   */
  readonly token?: string | undefined;
};

export type RestoreSnapshotOptions = VerifySnapshotOptions &
  EtcdutlOptions & {
    readonly file: string;
    /** Where etcd will find it (`--data-dir`). It may be a mount point; its owner becomes the data's. */
    readonly dataDirectory: string;
    /** Of this member; one of the cluster's. */
    readonly name: string;
    readonly cluster: RestoredCluster;
    /** What is there is put aside until {@link confirmRestore}; without it a directory with data is refused. */
    readonly replace?: boolean | undefined;
    /** Takes a file without a digest, or with a wrong one: its structure is proven in any case. */
    readonly skipHashCheck?: boolean | undefined;
    /** Which snapshot is meant: {@link SnapshotInfo.sha256} of it. Another one is refused. */
    readonly sha256?: string | undefined;
    /** How far ahead of the snapshot revisions begin, so that none that a client has seen comes again. With `markCompacted`. */
    readonly bumpRevision?: bigint | undefined;
    /** Clients that watch from an older revision are told to begin anew. With `bumpRevision`. */
    readonly markCompacted?: boolean | undefined;
  };

/** etcd reserves that much for its log at once. */
const logBytes = 64n << 20n;

/**
 * Makes a snapshot the data of the first member of a new cluster. Everything is checked and made beside what is there; one
 * rename puts it in its place. A call that dies is cleaned or completed by the next one, or by {@link resumeRestore}.
 *
 * @returns what was restored.
 * @throws {KvstoreError} of the file, of the directory, or of etcdutl; then the directory has what it had.
 */
export async function restoreSnapshot(options: RestoreSnapshotOptions): Promise<SnapshotInfo> {
  const { dataDirectory, signal } = options;
  checkWishes(options);
  const info = await checkFile(options);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await resumeRestore(dataDirectory);
  await checkDirectory(options, info);
  const { work, made, complete } = layoutOf(dataDirectory);
  // Of this call alone: what an earlier one started may still be about to die, and writes somewhere else.
  const making = `${made}-${randomUUID()}`;
  try {
    await mkdir(work, { recursive: true, mode: 0o700 });
    await runEtcdutl(argumentsOf(options, making), options);
    await checkMade(options, making, info);
    signal?.throwIfAborted();
    await settle(making, await stat(dataDirectory));
    await rename(making, made);
    await sync(work);
    await writeFile(complete, '', { flush: true });
    await sync(work);
    await sync(dataDirectory);
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    // Somebody else may have filled the disk meanwhile, and etcdutl says so in words only.
    if (isKvstoreError(error, 'ERR_KVSTORE_FAILED')) await requireRoom(dataDirectory, info);
    throw error;
  }
  // From here on it is done, now or by the next call.
  await switchOver(dataDirectory);
  return info;
}

function checkWishes({
  name,
  cluster,
  bumpRevision = 0n,
  markCompacted = false,
}: RestoreSnapshotOptions): void {
  const names = Object.keys(cluster.members);
  if ((cluster.members[name] ?? []).length === 0) {
    throw invalid(`the cluster has no peer URL for the member ${name}; it has ${names.join(', ')}`);
  }
  if (names.length > 1 && cluster.token === undefined) {
    throw invalid('a cluster of several members needs a token, the same for each of them');
  }
  if (bumpRevision < 0n || bumpRevision > 0n !== markCompacted) {
    throw invalid('bumpRevision and markCompacted go together: give both, or neither');
  }
}

async function checkFile(options: RestoreSnapshotOptions): Promise<SnapshotInfo> {
  const { file, skipHashCheck = false, sha256 } = options;
  const info = await verifySnapshot(file, { ...options, skipDigest: skipHashCheck });
  if (info.digest === 'absent' && !skipHashCheck) {
    const words =
      'has no digest; when it is a copy of a data directory, skip the hash check, else take another file';
    throw new KvstoreError('ERR_KVSTORE_SNAPSHOT_DIGEST', file, words);
  }
  if (sha256 !== undefined && info.sha256 !== sha256) {
    const words = `is another snapshot than the one that is meant, with SHA-256 ${info.sha256}; send yours again`;
    throw new KvstoreError('ERR_KVSTORE_REFUSED', file, words);
  }
  return info;
}

async function checkDirectory(
  { dataDirectory, replace = false, bumpRevision = 0n, ...options }: RestoreSnapshotOptions,
  info: SnapshotInfo,
): Promise<void> {
  const { member } = layoutOf(dataDirectory);
  const holder = await lockHolder(join(member, 'snap', 'db'));
  if (holder !== undefined) {
    throw refused(dataDirectory, `the process ${holder} works with it; stop the member first`);
  }
  if (!replace && (await exists(member))) {
    throw refused(dataDirectory, 'has data; allow to put it aside, or name another directory');
  }
  await requireRoom(dataDirectory, info);
  if (bumpRevision > 0n) {
    const help = await runEtcdutl(['snapshot', 'restore', '--help'], options);
    if (!help.includes('--bump-revision')) {
      const words = 'this version of etcdutl can not bump revisions; take a newer one (3.6, or a late 3.5)';
      throw new KvstoreError('ERR_KVSTORE_UNSUPPORTED', options.etcdutl ?? 'etcdutl', words);
    }
  }
}

async function requireRoom(dataDirectory: string, { fileBytes }: SnapshotInfo): Promise<void> {
  const { bavail, bsize } = await statfs(dataDirectory, { bigint: true });
  const needed = fileBytes + logBytes;
  if (bavail * bsize >= needed) return;
  const words = `has ${bavail * bsize} bytes free, and ${needed} are needed; make room`;
  throw new KvstoreError('ERR_KVSTORE_DISK_FULL', dataDirectory, words);
}

function argumentsOf(options: RestoreSnapshotOptions, making: string): string[] {
  const { file, name, cluster, skipHashCheck = false, bumpRevision = 0n } = options;
  const members = Object.entries(cluster.members);
  const initialCluster = members.flatMap(([member, urls]) => urls.map((url) => `${member}=${url}`)).join(',');
  return [
    'snapshot',
    'restore',
    file,
    `--data-dir=${making}`,
    `--name=${name}`,
    `--initial-cluster=${initialCluster}`,
    `--initial-cluster-token=${cluster.token ?? randomUUID()}`,
    `--initial-advertise-peer-urls=${cluster.members[name]!.join(',')}`,
    ...(skipHashCheck ? ['--skip-hash-check'] : []),
    ...(bumpRevision > 0n ? [`--bump-revision=${bumpRevision}`, '--mark-compacted'] : []),
  ];
}

/** What etcdutl made is proven like what it was given. */
async function checkMade(
  { file, signal, bumpRevision = 0n }: RestoreSnapshotOptions,
  making: string,
  info: SnapshotInfo,
): Promise<void> {
  const database = join(making, 'member', 'snap', 'db');
  const made = await verifySnapshot(database, { signal });
  const added = bumpRevision > 0n ? 1n : 0n;
  if (made.revision !== info.revision + bumpRevision || made.revisions !== info.revisions + added) {
    const words = `etcdutl restored revision ${made.revision}, with ${made.revisions} entries, of ${info.revision} with ${info.revisions}`;
    throw new KvstoreError('ERR_KVSTORE_FAILED', file, words);
  }
}

function invalid(words: string): KvstoreError {
  return new KvstoreError('ERR_KVSTORE_INVALID', 'restore', words);
}

function refused(dataDirectory: string, words: string): KvstoreError {
  return new KvstoreError('ERR_KVSTORE_REFUSED', dataDirectory, words);
}
