import { randomUUID } from 'node:crypto';

import type { Kvstore as KvstoreSettings } from '@nodecore/config';

import type { Log } from '../log.ts';
import type { Beginning } from './arguments.ts';
import type { BegunMark } from './begun-mark.ts';
import type { DataDirectory } from './data-directory.ts';
import { join, type Self } from './join.ts';
import { begunBefore, whyIdle } from './member-settings.ts';

/** Who begins, and where. */
export type Beginner = {
  readonly settings: KvstoreSettings;
  readonly directory: DataDirectory;
  readonly self: () => Self;
  readonly log: Log;
};

/** What a member without data waits for. */
export type NotBegun = {
  readonly reason: string;
  /** False when it had data once: that is lost, and not only awaited. */
  readonly idle: boolean;
};

/** Why it does not begin; of a node of type init nothing keeps it from doing so for the first time. */
export async function whyNotBegun(
  { settings, directory, self, log }: Beginner,
  {
    hasData,
    beginsItself,
    begunMark,
  }: { readonly hasData: boolean; readonly beginsItself: boolean; readonly begunMark: BegunMark },
): Promise<NotBegun | undefined> {
  const reason = hasData ? undefined : await whyIdle(settings, directory);
  const idle = reason === undefined ? undefined : { reason, idle: true };
  if (!beginsItself) return idle;
  if (idle !== undefined) {
    if (await directory.hasLeft()) return idle;
    if (await begunMark.isSet()) return { reason: begunBefore, idle: false };
    const { name, peerUrl } = self();
    await directory.begin({ state: 'new', members: [`${name}=${peerUrl}`], token: randomUUID() });
    log.info({}, 'a node of type init begins the kvstore');
  }
  // Set behind the beginning: a crash in between finds what was begun, and sets it then.
  await begunMark.set();
  return undefined;
}

/** How it begins without data: as it was told, or as those say who take it in. */
export async function beginningOf(
  { settings, directory, self, log }: Beginner,
  tellJoining: () => void,
  signal: AbortSignal,
): Promise<Beginning> {
  const known = await directory.beginning();
  if (known !== undefined) return known;
  tellJoining();
  const formerId = (await directory.known())?.memberId;
  const beginning = await join(settings, { ...self(), formerId }, signal);
  await directory.begin(beginning);
  log.info({ members: beginning.members }, 'the kvstore took this node in as a learner');
  return beginning;
}
