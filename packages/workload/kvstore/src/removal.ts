import { Backoff, systemClock, type Clock } from '@nodecore/waiting';

import { Cluster } from '../gen/etcdserverpb.js';
import { isKvstoreError, KvstoreError } from './errors.ts';
import { inspect, type ClusterView } from './inspect.ts';
import type { CallOptions, Kvstore } from './kvstore.ts';
import { forfeitLeadership } from './leadership.ts';
import { describeMember, formatMemberId, members } from './members.ts';
import { isHealthy, survivesRemoval } from './quorum.ts';

/** How long {@link leave} goes on asking, in milliseconds, unless told otherwise. */
const leaveTimeoutMs = 300_000;

/**
 * Strikes a broken member from the list. Its data stay on its disk, and it can't come back with them.
 *
 * @param options.force also when it is well; then prefer {@link leave}.
 * @throws {KvstoreError} `ERR_KVSTORE_NOT_FOUND`; `ERR_KVSTORE_REFUSED` when it is well; `ERR_KVSTORE_QUORUM` when the rest
 *   would have no majority.
 */
export async function removeMember(
  kvstore: Kvstore,
  id: bigint,
  options: CallOptions & { readonly force?: boolean | undefined } = {},
): Promise<void> {
  const view = await inspect(kvstore, options);
  const target = view.members.find(({ member }) => member.id === id);
  if (target === undefined) throw notFound(id);
  const subject = describeMember(target.member);
  if (isHealthy(target) && options.force !== true) {
    throw new KvstoreError(
      'ERR_KVSTORE_REFUSED',
      subject,
      'it is well; have it leave, or remove it by force',
    );
  }
  if (!target.member.isLearner && !survivesRemoval(view, id)) throw quorumLost(subject);
  await strike(kvstore, view, id, options);
}

/**
 * Takes a member that is well out of its cluster: it gives up leadership first. Goes on asking while the cluster is not
 * ready for a change; an answer that got lost is looked up.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_REFUSED` for the last member, `ERR_KVSTORE_QUORUM` when the rest would have no majority.
 */
export async function leave(
  kvstore: Kvstore,
  id: bigint,
  options: CallOptions & { readonly clock?: Clock | undefined } = {},
): Promise<void> {
  const { clock = systemClock, signal, timeoutMs = leaveTimeoutMs } = options;
  const view = await inspect(kvstore, { signal });
  const target = view.members.find(({ member }) => member.id === id);
  if (target === undefined) return;
  const subject = describeMember(target.member);
  if (view.members.length === 1)
    throw new KvstoreError('ERR_KVSTORE_REFUSED', subject, 'it is the last one, and has all the data');
  if (!target.member.isLearner && !survivesRemoval(view, id)) throw quorumLost(subject);
  const backoff = new Backoff({ firstMs: 200, largestMs: 10_000 });
  const started = performance.now();
  for (;;) {
    try {
      await forfeitLeadership(kvstore, id, { signal });
      await strike(kvstore, view, id, { signal });
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (isKvstoreError(error, 'ERR_KVSTORE_NOT_FOUND')) return;
      if (!isPassing(error)) throw error;
      const waitMs = backoff.next();
      if (performance.now() - started + waitMs > timeoutMs) throw error;
      await clock.sleep(waitMs, signal);
      if (await isGone(kvstore, id, signal)) return;
    }
  }
}

/** By way of another member: one that is struck from the list stops, perhaps before it has answered. */
async function strike(
  kvstore: Kvstore,
  { members }: ClusterView,
  id: bigint,
  options: CallOptions,
): Promise<void> {
  const other = members.find((view) => view.member.id !== id && !view.member.isLearner && isHealthy(view));
  if (other?.endpoint === undefined) await kvstore.write(Cluster.memberRemove, { id }, options);
  else await kvstore.at(other.endpoint, Cluster.memberRemove, { id }, options);
}

async function isGone(kvstore: Kvstore, id: bigint, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    return !(await members(kvstore, { signal })).some((member) => member.id === id);
  } catch (error) {
    signal?.throwIfAborted();
    if (isPassing(error)) return false;
    throw error;
  }
}

/** What ends by itself: an election, or members that have seen each other for too short a time. */
function isPassing(error: unknown): boolean {
  return isKvstoreError(
    error,
    'ERR_KVSTORE_QUORUM',
    'ERR_KVSTORE_NO_LEADER',
    'ERR_KVSTORE_NOT_LEADER',
    'ERR_KVSTORE_UNREACHABLE',
    'ERR_KVSTORE_TIMEOUT',
    'ERR_KVSTORE_BUSY',
  );
}

function notFound(id: bigint): KvstoreError {
  return new KvstoreError('ERR_KVSTORE_NOT_FOUND', formatMemberId(id), 'no member has this id');
}

function quorumLost(subject: string): KvstoreError {
  const message = 'without it too few healthy members would be left; repair or replace another one first';
  return new KvstoreError('ERR_KVSTORE_QUORUM', subject, message);
}
