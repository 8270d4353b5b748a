import type { ClusterView } from './inspect.ts';
import { describeMember, type Member } from './members.ts';
import { isHealthy, quorumOf } from './quorum.ts';
import { estimateStallMs, type Stall } from './stall.ts';
import type { MemberStatus } from './status.ts';

/** When a defragmentation pays. */
export type DefragmentationPolicy = {
  /** Least share of the file that is free; 0.5 unless given. */
  readonly minFreeRatio?: number | undefined;
  /** Least that it would give back; 16 MiB unless given. */
  readonly minFreeBytes?: bigint | undefined;
  /** Only these members. */
  readonly memberIds?: readonly bigint[] | undefined;
};

/** What a plan rests on beside the cluster itself. */
export type DefragmentationFacts = DefragmentationPolicy & {
  /** What earlier ones took. */
  readonly history?: readonly Stall[] | undefined;
  /** Free space where a member has its file, by its id, where it is known. */
  readonly freeDiskBytes?: ReadonlyMap<bigint, bigint> | undefined;
};

export type DefragmentationStep = {
  readonly member: Member;
  readonly endpoint: string;
  readonly isLeader: boolean;
  readonly sizeBytes: bigint;
  readonly inUseBytes: bigint;
  /** What it would give back. */
  readonly freeBytes: bigint;
  /** Space on the disk that the copy takes while it is made. */
  readonly neededBytes: bigint;
  /** How long the member will answer nothing. */
  readonly estimatedStallMs: number;
};

export type SkipReason = 'not-chosen' | 'not-worthwhile' | 'learner' | 'down' | 'disk-full';

export type DefragmentationPlan = {
  /** In this order, one after the other; the leader is the last. */
  readonly steps: readonly DefragmentationStep[];
  readonly skipped: readonly {
    readonly member: Member;
    readonly reason: SkipReason;
    readonly message: string;
  }[];
  /** Why none may begin now, for people; empty when nothing is in the way. */
  readonly obstacles: readonly string[];
};

const defaultFreeRatio = 0.5;
const defaultFreeBytes = 16n << 20n;
/** Pages of the copy are filled less well than it is counted, and the old file may grow meanwhile. */
const spareRatio = 10n;
const spareBytes = 8n << 20n;
/** A member that is further behind what the majority has agreed on is still catching up. */
const largestLag = 1_000n;

/** Which members to defragment, and in which order. Changes nothing, and makes no call. */
export function planDefragmentation(
  view: ClusterView,
  facts: DefragmentationFacts = {},
): DefragmentationPlan {
  const steps: DefragmentationStep[] = [];
  const skipped: DefragmentationPlan['skipped'][number][] = [];
  for (const each of view.members) {
    const { member, endpoint, status } = each;
    if (status === undefined || endpoint === undefined) {
      skipped.push({ member, reason: 'down', message: each.error?.message ?? 'does not answer' });
      continue;
    }
    const step = stepOf(member, endpoint, status, facts);
    const skip = skipOf(step, status, facts);
    if (skip === undefined) steps.push(step);
    else skipped.push({ member, ...skip });
  }
  // Stable: the order of the list otherwise.
  steps.sort((left, right) => Number(left.isLeader) - Number(right.isLeader));
  return { steps, skipped, obstacles: obstaclesIn(view) };
}

/** Why no member may be stalled now, for people. */
export function obstaclesIn(view: ClusterView): string[] {
  const { voters, needed, healthy, spare } = quorumOf(view);
  const obstacles: string[] = [];
  if (view.leaderId === undefined) obstacles.push('the cluster has no leader; wait until it has elected one');
  // With all of them well one may stall, also where there are only one or two: it can't be had better.
  else if (healthy < voters && spare < 1)
    obstacles.push(
      `only ${healthy} of ${voters} voting members are well, and ${needed} are needed; repair one`,
    );
  for (const { member, alarms } of view.members)
    if (alarms.includes('corrupt'))
      obstacles.push(`${describeMember(member)} has an alarm: its data differ; replace it first`);
  const agreed = view.members.reduce((most, { status }) => larger(most, status?.raftIndex ?? 0n), 0n);
  for (const each of view.members) {
    if (!isHealthy(each) || each.status === undefined || each.member.isLearner) continue;
    const lag = agreed - each.status.raftAppliedIndex;
    if (lag > largestLag)
      obstacles.push(`${describeMember(each.member)} is ${lag} entries behind; wait until it has caught up`);
  }
  return obstacles;
}

function stepOf(
  member: Member,
  endpoint: string,
  status: MemberStatus,
  { history = [] }: DefragmentationFacts,
): DefragmentationStep {
  const { dbSizeBytes: sizeBytes, dbSizeInUseBytes: inUseBytes, isLeader } = status;
  return {
    member,
    endpoint,
    isLeader,
    sizeBytes,
    inUseBytes,
    freeBytes: larger(0n, sizeBytes - inUseBytes),
    neededBytes: inUseBytes + inUseBytes / spareRatio + spareBytes,
    estimatedStallMs: estimateStallMs(member.id, inUseBytes, history),
  };
}

function skipOf(
  { member, sizeBytes, freeBytes, neededBytes }: DefragmentationStep,
  { isLearner }: MemberStatus,
  facts: DefragmentationFacts,
): { reason: SkipReason; message: string } | undefined {
  const { minFreeRatio = defaultFreeRatio, minFreeBytes = defaultFreeBytes, memberIds } = facts;
  if (memberIds !== undefined && !memberIds.includes(member.id))
    return { reason: 'not-chosen', message: 'was not asked for' };
  if (isLearner) return { reason: 'learner', message: 'a learner can not be asked to; promote it first' };
  const ratio = sizeBytes === 0n ? 0 : Number(freeBytes) / Number(sizeBytes);
  if (freeBytes < minFreeBytes || ratio < minFreeRatio) {
    const message = `${Math.round(ratio * 100)} % of ${sizeBytes} bytes are free, which is not worth the stall`;
    return { reason: 'not-worthwhile', message };
  }
  const disk = facts.freeDiskBytes?.get(member.id);
  if (disk !== undefined && disk < neededBytes) {
    const message = `the copy needs ${neededBytes} bytes and its disk has ${disk}; make room there`;
    return { reason: 'disk-full', message };
  }
  return undefined;
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
