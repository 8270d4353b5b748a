import { hostname } from 'node:os';

import { type Alarm, describeMember, recoverSpace, status } from '@nodecore/kvstore';
import { Latest } from '@nodecore/waiting';

import { freeBytesOf } from './defragmentation.ts';
import type { Member } from './member.ts';

export type SpaceRecoveryEvent =
  | { readonly state: 'working'; readonly message: string }
  /** The last one; `compactedTo` is undefined when no alarm was raised, and nothing was done. */
  | {
      readonly state: 'done';
      readonly compactedTo: bigint | undefined;
      /** How many members' files were made smaller. */
      readonly defragmented: number;
      readonly disarmed: readonly Alarm[];
    };

/**
 * Makes a store that is over its quota take writes again: compacts, defragments every member, and disarms. Tells what is
 * going on, or the newest of it to who listens slowly.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_REFUSED`, `ERR_KVSTORE_LOCKED`
 */
export async function* recoverSpaceOf(
  member: Member,
  signal: AbortSignal,
): AsyncGenerator<SpaceRecoveryEvent, void, undefined> {
  const { kvstore } = member;
  const directory = await member.directory();
  const { memberId } = await status(kvstore, kvstore.endpoints[0] ?? '', { signal });
  const history = await directory.stalls();
  const messages = new Latest<string | undefined>();
  messages.set('looking at the alarms');
  const work = member
    .whileBusy(() =>
      recoverSpace(kvstore, {
        holder: hostname(),
        history,
        readFreeDiskBytes: freeBytesOf(directory, memberId),
        signal,
        onForget: (revision) => messages.set(`forgetting revisions before ${revision}`),
        onProgress: (progress) => {
          if (progress.state === 'running' || progress.state === 'settling')
            messages.set(`defragmenting: ${describeMember(progress.member)}`);
        },
      }),
    )
    .finally(() => messages.set(undefined));
  work.catch(() => {}); // thrown below, when everything was told
  let told = '';
  for await (const message of messages) {
    if (message === undefined) break;
    if (message !== told) yield { state: 'working', message };
    told = message;
  }
  const { compactedTo, defragmentation, disarmed } = await work;
  if (defragmentation?.stopped !== undefined) throw defragmentation.stopped.error;
  const defragmented = defragmentation?.results.length ?? 0;
  yield { state: 'done', compactedTo, defragmented, disarmed };
}
