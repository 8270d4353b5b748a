import type { CataloguedSnapshot, MemberStatus, SnapshotInfo } from '@nodecore/kvstore';
import type { Json } from '@nodecore/state';

import type { DefragmentationPlanned } from './defragmentation-plan.ts';
import { hexId, type MemberState } from './member-state.ts';
import type { RehearsalState } from './rehearsals.ts';

/** This node's member as a resource. */
export function kvstoreMemberSpec(state: MemberState): Json {
  const { phase, reason, code, name, clientUrl, peerUrl, directory, version, pid, healthy, restarts } = state;
  const { status, peers = [], idle } = state;
  return {
    phase,
    ...(reason !== undefined && { reason }),
    ...(code !== undefined && { errorCode: code }),
    ...(idle === true && { idle }),
    ...(name !== undefined && { name }),
    ...(status !== undefined && { memberID: hexId(status.memberId), learner: status.isLearner }),
    ...(clientUrl !== undefined && { clientURL: clientUrl }),
    ...(peerUrl !== undefined && { peerURL: peerUrl }),
    ...(peers.length > 0 && { peers: [...peers] }),
    ...(directory !== undefined && { directory }),
    ...(version !== undefined && { version }),
    ...(pid !== undefined && { pid }),
    ...(healthy !== undefined && { healthy }),
    restarts,
  };
}

/** What the member says about itself, as a resource. Numbers are as large as they are: beyond 2^53. */
export function kvstoreStatusSpec(status: MemberStatus): Json {
  const { storageVersion, dbQuotaBytes } = status;
  return {
    memberID: hexId(status.memberId),
    clusterID: hexId(status.clusterId),
    version: status.version,
    ...(storageVersion !== undefined && { storageVersion }),
    dbSize: status.dbSizeBytes,
    dbSizeInUse: status.dbSizeInUseBytes,
    ...(dbQuotaBytes !== undefined && { dbQuota: dbQuotaBytes }),
    leader: hexId(status.leaderId),
    learner: status.isLearner,
    revision: status.revision,
    raftIndex: status.raftIndex,
    raftTerm: status.raftTerm,
    raftAppliedIndex: status.raftAppliedIndex,
    errors: [...status.errors],
  };
}

/** Defragmentations on schedule as a resource. */
export function kvstoreDefragmentationSpec({ intervalMs, nextMs, last }: DefragmentationPlanned): Json {
  return {
    intervalSeconds: Math.round(intervalMs / 1000),
    next: new Date(nextMs).toISOString(),
    ...(last !== undefined && {
      last: {
        started: new Date(last.startedMs).toISOString(),
        result: last.result,
        ...(last.message !== undefined && { message: last.message }),
        ...(last.code !== undefined && { errorCode: last.code }),
        ...(last.beforeBytes !== undefined && { dbSizeBefore: last.beforeBytes }),
        ...(last.afterBytes !== undefined && { dbSizeAfter: last.afterBytes }),
        ...(last.stallMs !== undefined && { stallMs: Math.round(last.stallMs) }),
      },
    }),
  };
}

/** A snapshot that the node took of its own member. What it holds is known of those that this agent took. */
export function kvstoreSnapshotSpec(
  snapshot: CataloguedSnapshot,
  info: SnapshotInfo | undefined,
  rehearsal: RehearsalState | undefined,
): Json {
  return {
    file: snapshot.file,
    taken: new Date(snapshot.takenMs).toISOString(),
    size: snapshot.sizeBytes,
    ...(info !== undefined && {
      sha256: info.sha256,
      hash: info.hash.toString(16).padStart(8, '0'),
      revision: info.revision,
      totalKeys: info.totalKeys,
    }),
    ...(rehearsal !== undefined && { lastRehearsal: lastRehearsal(rehearsal) }),
  };
}

/** With the newest snapshot, whichever it was of: what was proven may be gone by now. */
function lastRehearsal({ atMs, file, failure, provenMs, recoveryMs }: RehearsalState): Json {
  return {
    started: new Date(atMs).toISOString(),
    file,
    result: failure === undefined ? 'proven' : 'failed',
    ...(failure !== undefined && { message: failure.message }),
    ...(failure?.code !== undefined && { errorCode: failure.code }),
    ...(provenMs !== undefined && { provenRestorable: new Date(provenMs).toISOString() }),
    ...(recoveryMs !== undefined && { recoveryMs: Math.round(recoveryMs) }),
  };
}
