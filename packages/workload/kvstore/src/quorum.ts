import type { ClusterView, MemberView } from './inspect.ts';

/** Whether a cluster works, and what it can do without. */
export type Quorum = {
  /** Members with a vote. */
  readonly voters: number;
  /** How many of them it takes. */
  readonly needed: number;
  /** How many are well. */
  readonly healthy: number;
  /** How many of the healthy ones it could lose; below zero it has lost too many. */
  readonly spare: number;
};

export function quorumOf({ members }: ClusterView): Quorum {
  const voting = members.filter(({ member }) => !member.isLearner);
  const needed = Math.floor(voting.length / 2) + 1;
  const healthy = voting.filter(isHealthy).length;
  return { voters: voting.length, needed, healthy, spare: healthy - needed };
}

/** Whether the cluster would still work without a member in its list. */
export function survivesRemoval(view: ClusterView, id: bigint): boolean {
  const members = view.members.filter(({ member }) => member.id !== id);
  return members.length > 0 && quorumOf({ ...view, members }).spare >= 0;
}

/** It answers, follows a leader, and has what the others have. One that is full is well: it only takes no more. */
export function isHealthy({ status, alarms }: MemberView): boolean {
  return status !== undefined && status.leaderId !== 0n && !alarms.includes('corrupt');
}
