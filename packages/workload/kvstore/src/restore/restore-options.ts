import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { KvstoreError } from '../errors.ts';
import { requirePath } from '../path.ts';
import type { SnapshotInfo } from '../snapshot/info.ts';
import type { VerifySnapshotOptions } from '../snapshot/verify.ts';
import type { EtcdutlOptions } from './etcdutl.ts';

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

/** The max that revisions are bumped to: the other half of etcd's numbers is for writes. */
const maxRevision = 1n << 62n;

/** What can be told before anything is looked at. @throws {KvstoreError} `ERR_KVSTORE_INVALID` */
export function checkOptions({
  name,
  cluster,
  dataDirectory,
  bumpRevision = 0n,
  markCompacted = false,
}: RestoreSnapshotOptions): void {
  requirePath(dataDirectory);
  const names = Object.keys(cluster.members);
  const said = [...names, ...Object.values(cluster.members).flat(), cluster.token ?? ''];
  if (said.some((text) => /[,\0]/.test(text)) || names.some((text) => text.includes('='))) {
    throw invalid('names, peer URLs and token have no comma, no NUL, and names no =');
  }
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

/** A revision is a number of 63 bits; beyond it etcd begins anew, or counts no further. */
export function checkBump({ bumpRevision = 0n }: RestoreSnapshotOptions, { revision }: SnapshotInfo): void {
  if (revision + bumpRevision <= maxRevision || bumpRevision === 0n) return;
  throw invalid(`bumpRevision goes beyond ${maxRevision}, half of what etcd can count to; give less`);
}

/** As etcdutl takes them. */
export function argumentsOf(options: RestoreSnapshotOptions, making: string): string[] {
  const { file, name, cluster, skipHashCheck = false, bumpRevision = 0n } = options;
  const members = Object.entries(cluster.members);
  const initialCluster = members.flatMap(([member, urls]) => urls.map((url) => `${member}=${url}`)).join(',');
  return [
    'snapshot',
    'restore',
    resolve(file), // never a flag
    `--data-dir=${making}`,
    `--name=${name}`,
    `--initial-cluster=${initialCluster}`,
    `--initial-cluster-token=${cluster.token ?? randomUUID()}`,
    `--initial-advertise-peer-urls=${cluster.members[name]!.join(',')}`,
    ...(skipHashCheck ? ['--skip-hash-check'] : []),
    ...(bumpRevision > 0n ? [`--bump-revision=${bumpRevision}`, '--mark-compacted'] : []),
  ];
}

function invalid(words: string): KvstoreError {
  return new KvstoreError('ERR_KVSTORE_INVALID', 'restore', words);
}
