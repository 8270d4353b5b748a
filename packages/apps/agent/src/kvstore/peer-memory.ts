import type { Kvstore as KvstoreSettings } from '@nodecore/config';
import { type Kvstore, members, type MemberStatus } from '@nodecore/kvstore';
import { codeOf } from '@nodecore/sys';

import type { Log } from '../log.ts';
import type { DataDirectory } from './data-directory.ts';
import { isRemoved, promote } from './join.ts';
import { hexId } from './member-state.ts';

export type PeerMemoryParts = {
  readonly kvstore: Kvstore;
  readonly status: MemberStatus | undefined;
  readonly directory: DataDirectory;
  readonly settings: KvstoreSettings;
  readonly log: Log;
};

/**
 * Remembers who else is there, for the day that this member is not; a learner asks them for its vote.
 *
 * @returns client URLs of the others; undefined when they could not be asked for.
 */
export async function rememberPeers(
  parts: PeerMemoryParts,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const { kvstore, status, directory, settings, log } = parts;
  if (status === undefined) return undefined;
  const { memberId, isLearner } = status;
  try {
    if (isLearner) {
      await promote(settings, settings.endpoints, memberId, signal);
      log.info({ member: hexId(memberId) }, 'the learner has its vote');
      return undefined;
    }
    const list = await members(kvstore, { signal });
    const others = list.filter(({ id }) => id !== memberId).flatMap(({ clientUrls }) => clientUrls);
    const known = { memberId: hexId(memberId), others: others.toSorted() };
    if (JSON.stringify(known) !== JSON.stringify(await directory.known())) await directory.remember(known);
    return known.others;
  } catch (error) {
    signal.throwIfAborted();
    // Not in step yet, or no majority: the next look comes.
    log.debug({ code: codeOf(error) }, 'the other members were not asked');
    return undefined;
  }
}

/** Whether the others say that this member, which has ended by itself, is none of them any more. */
export async function isRemovedFromCluster(
  directory: DataDirectory,
  settings: KvstoreSettings,
  signal: AbortSignal,
): Promise<boolean> {
  const known = await directory.known();
  const others = [...new Set([...(known?.others ?? []), ...settings.endpoints])];
  if (known === undefined || others.length === 0) return false;
  try {
    return await isRemoved(settings, others, BigInt(`0x${known.memberId}`), signal);
  } catch {
    return false; // nobody answers: nobody said so
  }
}
