import type { KvstoreStatusResponse } from '@nodecore/api/kvstore';

import { shortSize, type Terminal } from '@nodecore/cli';
import { type Flags, printListing } from './listing.ts';
import { hexId } from './member-id.ts';

/** A member's status, as -o json and yaml show it. */
type Status = {
  readonly member: string;
  readonly version: string;
  /** Empty before etcd 3.6. */
  readonly storageVersion: string;
  readonly dbSizeBytes: bigint;
  readonly dbSizeInUseBytes: bigint;
  /** All zeros: it knows of none. */
  readonly leader: string;
  readonly raftIndex: bigint;
  readonly raftTerm: bigint;
  readonly raftAppliedIndex: bigint;
  readonly learner: boolean;
  readonly errors: readonly string[];
};

/** Prints how the member on each node does. */
export async function printStatus(flags: Flags, terminal: Terminal): Promise<void> {
  await printListing(
    {
      columns: [
        'member',
        'db size',
        'in use',
        'leader',
        'raft index',
        'raft term',
        'raft applied index',
        'learner',
        'protocol',
        'storage',
        'errors',
      ],
      ask: async ({ client, node }, signal) => [statusOf(await client.kvstore.status({ node, signal }))],
      row,
    },
    flags,
    terminal,
  );
}

function statusOf(response: KvstoreStatusResponse): Status {
  const { memberId, version, storageVersion, dbSize, dbSizeInUse, leader, isLearner, errors } = response;
  const { raftIndex, raftTerm, raftAppliedIndex } = response;
  return {
    member: hexId(memberId),
    version,
    storageVersion,
    dbSizeBytes: dbSize,
    dbSizeInUseBytes: dbSizeInUse,
    leader: hexId(leader),
    raftIndex,
    raftTerm,
    raftAppliedIndex,
    learner: isLearner,
    errors,
  };
}

function row(status: Status): string[] {
  const { dbSizeBytes, dbSizeInUseBytes } = status;
  const percent = dbSizeBytes === 0n ? 0 : (Number(dbSizeInUseBytes) / Number(dbSizeBytes)) * 100;
  return [
    status.member,
    shortSize(dbSizeBytes),
    `${shortSize(dbSizeInUseBytes)} (${percent.toFixed(2)}%)`,
    status.leader,
    `${status.raftIndex}`,
    `${status.raftTerm}`,
    `${status.raftAppliedIndex}`,
    `${status.learner}`,
    status.version,
    status.storageVersion,
    status.errors.join(', '),
  ];
}
