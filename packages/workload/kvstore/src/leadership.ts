import { Maintenance } from '../gen/etcdserverpb.js';
import { KvstoreError } from './errors.ts';
import { inspect, type ClusterView, type MemberView } from './inspect.ts';
import type { CallOptions, Kvstore } from './kvstore.ts';
import { describeMember, type Member } from './members.ts';
import { isHealthy } from './quorum.ts';

/**
 * Has a member that leads hand over to another that is well, has a vote and is the least behind.
 *
 * @returns the new leader; undefined when the member does not lead.
 * @throws {KvstoreError} `ERR_KVSTORE_REFUSED` when no member can take over.
 */
export async function forfeitLeadership(
  kvstore: Kvstore,
  id: bigint,
  options: CallOptions = {},
): Promise<Member | undefined> {
  const view = await inspect(kvstore, options);
  const leader = view.members.find(({ status }) => status?.isLeader === true);
  if (leader?.member.id !== id || leader.endpoint === undefined) return undefined;
  const successor = successorOf(view, id);
  if (successor === undefined) {
    const message = 'no other member that is well has a vote; add one, or wait until one is well';
    throw new KvstoreError('ERR_KVSTORE_REFUSED', describeMember(leader.member), message);
  }
  await moveLeader(kvstore, leader.endpoint, successor.member.id, options);
  return successor.member;
}

/** Hands leadership over; the leader is the one to be asked. Resolves when it has changed. */
export async function moveLeader(
  kvstore: Kvstore,
  leaderEndpoint: string,
  targetId: bigint,
  options: CallOptions = {},
): Promise<void> {
  await kvstore.at(leaderEndpoint, Maintenance.moveLeader, { targetId }, options);
}

function successorOf({ members }: ClusterView, id: bigint): MemberView | undefined {
  return members
    .filter((view) => view.member.id !== id && !view.member.isLearner && isHealthy(view))
    .toSorted((left, right) => Number(applied(right) - applied(left)))[0];
}

function applied({ status }: MemberView): bigint {
  return status?.raftAppliedIndex ?? 0n;
}
