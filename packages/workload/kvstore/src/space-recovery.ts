import { alarms, disarm, type Alarm } from './alarms.ts';
import { defragmentInTurn, type DefragmentationReport, type DefragmentOptions } from './defragmentation.ts';
import { isKvstoreError } from './errors.ts';
import { inspect, type ClusterView } from './inspect.ts';
import { compact } from './kv.ts';
import type { Kvstore } from './kvstore.ts';
import { assertUnlocked } from './maintenance-lock.ts';
import { assertRoom } from './space-room.ts';

export type SpaceRecoveryOptions = Omit<DefragmentOptions, 'minFreeRatio' | 'minFreeBytes' | 'memberIds'> & {
  /** How many of the newest revisions stay readable; none but the newest unless given. */
  readonly keepRevisions?: bigint | undefined;
  /** The members' quota where it is known; without it, and before etcd 3.6, it is taken for the size that they reached. */
  readonly quotaBytes?: bigint | undefined;
  /** An alarm is raised, and revisions before this one are forgotten now. */
  readonly onForget?: ((revision: bigint) => void) | undefined;
};

export type SpaceRecovery = {
  /** Revisions before this one are gone; undefined when there was nothing to do. */
  readonly compactedTo: bigint | undefined;
  readonly defragmentation: DefragmentationReport | undefined;
  readonly disarmed: readonly Alarm[];
};

/** A compaction reads and rewrites what it forgets. */
const compactTimeoutMs = 300_000;
/**
 * Makes a store that is over its quota take writes again: forgets old revisions, defragments every member, and disarms the
 * `nospace` alarms where that has made room. Other alarms stay.
 *
 * A store in that state can keep no turn, so two of these at once are not told apart; they do the same, one
 * member after the other. A turn that was taken before is respected.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_LOCKED`; `ERR_KVSTORE_REFUSED` when the cluster is not fit, or when nothing could be
 *   given back, with what to do; or `signal.reason`.
 */
export async function recoverSpace(kvstore: Kvstore, options: SpaceRecoveryOptions): Promise<SpaceRecovery> {
  const { signal } = options;
  const raised = (await alarms(kvstore, { signal })).filter(({ kind }) => kind === 'nospace');
  if (raised.length === 0) return { compactedTo: undefined, defragmentation: undefined, disarmed: [] };
  await assertUnlocked(kvstore, { signal });
  const before = await inspect(kvstore, { signal });
  const compactedTo = await forget(kvstore, before, options);
  const everything = { ...options, minFreeRatio: 0, minFreeBytes: 0n };
  const defragmentation = await defragmentInTurn(kvstore, everything);
  if (defragmentation.stopped !== undefined) return { compactedTo, defragmentation, disarmed: [] };
  const after = await inspect(kvstore, { signal });
  const full = defragmentation.plan.skipped.filter(({ reason }) => reason === 'disk-full');
  for (const { memberId } of raised) {
    const why = full.find(({ member }) => member.id === memberId)?.message;
    assertRoom(before, after, memberId, { quotaBytes: options.quotaBytes, why });
  }
  const disarmed: Alarm[] = [];
  for (const alarm of raised) {
    if (await disarmIfRaised(kvstore, alarm, signal)) disarmed.push(alarm);
  }
  return { compactedTo, defragmentation, disarmed };
}

/**
 * A member answers when it has done its own part. Each is asked for one revision more than the one before, which leaves it
 * next to nothing to do but that: asked for the same, it would say that it is done while it is at it.
 */
async function forget(
  kvstore: Kvstore,
  { members }: ClusterView,
  { keepRevisions: keep = 0n, signal, onForget }: SpaceRecoveryOptions,
): Promise<bigint> {
  const newest = members.reduce((most, { status }) => bigger(most, status?.revision ?? 0n), 0n) - keep;
  onForget?.(bigger(newest, 0n));
  const asked = members.filter(({ endpoint, member }) => endpoint !== undefined && !member.isLearner);
  for (const [index, { endpoint }] of asked.entries()) {
    const revision = newest - BigInt(asked.length - 1 - index);
    if (revision <= 0n) continue;
    signal?.throwIfAborted();
    try {
      await compact(kvstore, revision, {
        endpoint,
        physical: true,
        timeoutMs: compactTimeoutMs,
        signal,
      });
    } catch (error) {
      if (!isKvstoreError(error, 'ERR_KVSTORE_COMPACTED')) throw error; // somebody was faster
    }
  }
  return bigger(newest, 0n);
}

async function disarmIfRaised(
  kvstore: Kvstore,
  alarm: Alarm,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await disarm(kvstore, alarm, { signal });
    return true;
  } catch (error) {
    if (isKvstoreError(error, 'ERR_KVSTORE_NOT_FOUND')) return false; // somebody else did
    throw error;
  }
}

function bigger(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
