import type { Kvstore as KvstoreSettings } from '@nodecore/config';
import {
  addLearner,
  connect,
  type Kvstore,
  type Member,
  members,
  promoteLearner,
  removeMember,
} from '@nodecore/kvstore';

import type { Beginning } from './arguments.ts';
import { nodeClient } from './certificate-files.ts';
import { MemberError } from './errors.ts';
import { hexId } from './member-state.ts';

/** An election and a change of the members may come between. */
const joinTimeoutMs = 30_000;
const promoteTimeoutMs = 5_000;

export type Self = {
  readonly name: string;
  readonly peerUrl: string;
  /** What it was before, as it remembers: 16 hexadecimal digits. */
  readonly formerId?: string | undefined;
};

/**
 * Asks members to take this node in as a learner, which has no vote before it has all data. One that was taken in
 * before and has lost its data is taken in anew.
 *
 * @throws {MemberError} `ERR_MEMBER_JOIN`
 */
export async function join(settings: KvstoreSettings, self: Self, signal: AbortSignal): Promise<Beginning> {
  const { name, peerUrl, formerId } = self;
  await using kvstore = await connectTo(settings, settings.endpoints, signal);
  const limits = { signal, timeoutMs: joinTimeoutMs };
  const known = await members(kvstore, limits);
  const isOurs = ({ id, peerUrls }: Member): boolean =>
    peerUrls.includes(peerUrl) || (formerId !== undefined && hexId(id) === formerId);
  // Two nodes may be called the same by mistake, and the other one be down for a moment.
  const namesake = known.find((member) => member.name === name && !isOurs(member));
  if (namesake !== undefined) throw new MemberError('ERR_MEMBER_JOIN', wordsOf(namesake));
  const added = known.find((member) => isOurs(member) && member.name === '');
  // One that has run is of no use without its data. A healthy one is not removed: it is somebody else's.
  for (const { id } of known.filter((member) => isOurs(member) && member.name !== ''))
    await removeMember(kvstore, id, limits);
  const own = added ?? (await addLearner(kvstore, [peerUrl], limits));
  const now = await members(kvstore, limits);
  if (!now.some(({ id }) => id === own.id))
    throw new MemberError('ERR_MEMBER_JOIN', `${name} was removed again while it joined`);
  // etcd compares URLs; one that has not started yet has no name.
  const named = now.flatMap((member) =>
    member.peerUrls.map((url) => `${member.id === own.id ? name : member.name || hexId(member.id)}=${url}`),
  );
  return { state: 'existing', members: named, token: 'nodecore' };
}

function wordsOf({ id, name, peerUrls }: Member): string {
  const who = `member ${hexId(id)} at ${peerUrls.join(', ')} has the name ${name} already`;
  return `${who}: give this node another one, or osctl kvstore remove-member ${hexId(id)} if it was this node`;
}

/** Asks the others to give this learner its vote. */
export async function promote(
  settings: KvstoreSettings,
  endpoints: readonly string[],
  id: bigint,
  signal: AbortSignal,
): Promise<void> {
  await using kvstore = await connectTo(settings, endpoints, signal);
  await promoteLearner(kvstore, id, { signal, timeoutMs: promoteTimeoutMs });
}

/** Whether the others have it among them no more. */
export async function isRemoved(
  settings: KvstoreSettings,
  endpoints: readonly string[],
  id: bigint,
  signal: AbortSignal,
): Promise<boolean> {
  await using kvstore = await connectTo(settings, endpoints, signal);
  return !(await members(kvstore, { signal })).some((member) => member.id === id);
}

async function connectTo(
  settings: KvstoreSettings,
  endpoints: readonly string[],
  signal: AbortSignal,
): Promise<Kvstore> {
  const { crt, key } = await nodeClient(settings);
  using _key = key;
  return await connect({ endpoints, tls: { ca: settings.ca.crt, certificate: crt, key }, signal });
}
