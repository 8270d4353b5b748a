import { Maintenance, type StatusResponse } from '../gen/etcdserverpb.js';
import type { CallOptions, Kvstore } from './kvstore.ts';

/** What one member says about itself. */
export type MemberStatus = {
  readonly memberId: bigint;
  readonly clusterId: bigint;
  /** Of the program: `3.5.16`. */
  readonly version: string;
  /** Of the file's format; undefined before etcd 3.6. */
  readonly storageVersion: string | undefined;
  /** Size of the file. */
  readonly dbSizeBytes: bigint;
  /** What of it is used; the rest a defragmentation would give back. */
  readonly dbSizeInUseBytes: bigint;
  /** Largest size before it takes no more writes; undefined before etcd 3.6, which does not say. */
  readonly dbQuotaBytes: bigint | undefined;
  /** 0 when it knows of none. */
  readonly leaderId: bigint;
  readonly isLeader: boolean;
  readonly isLearner: boolean;
  readonly revision: bigint;
  /** What a majority has agreed on, as far as it knows. */
  readonly raftIndex: bigint;
  readonly raftTerm: bigint;
  /** What of that it has done. */
  readonly raftAppliedIndex: bigint;
  /** In its words. */
  readonly errors: readonly string[];
};

/** Asks the member at an endpoint about itself. Needs no leader. */
export async function status(
  kvstore: Kvstore,
  endpoint: string,
  options: CallOptions = {},
): Promise<MemberStatus> {
  return memberStatus(await kvstore.at(endpoint, Maintenance.status, {}, options));
}

export function memberStatus(response: StatusResponse): MemberStatus {
  const { header, leader, storageVersion, dbSizeQuota } = response;
  const memberId = header?.memberId ?? 0n;
  return {
    memberId,
    clusterId: header?.clusterId ?? 0n,
    version: response.version,
    storageVersion: storageVersion === '' ? undefined : storageVersion,
    dbSizeBytes: response.dbSize,
    dbSizeInUseBytes: response.dbSizeInUse,
    dbQuotaBytes: dbSizeQuota === 0n ? undefined : dbSizeQuota,
    leaderId: leader,
    isLeader: leader !== 0n && leader === memberId,
    isLearner: response.isLearner,
    revision: header?.revision ?? 0n,
    raftIndex: response.raftIndex,
    raftTerm: response.raftTerm,
    raftAppliedIndex: response.raftAppliedIndex,
    errors: response.errors,
  };
}
