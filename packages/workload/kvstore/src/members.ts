import { Cluster, type Member as WireMember } from '../gen/etcdserverpb.js';
import { KvstoreError } from './errors.ts';
import type { CallOptions, Kvstore } from './kvstore.ts';

export type Member = {
  readonly id: bigint;
  /** Empty until it has started for the first time. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  /** Empty like the name. */
  readonly clientUrls: readonly string[];
  /** It receives everything and has no vote. */
  readonly isLearner: boolean;
};

/** Who is in the cluster, as a majority has it, or as one member has it: then it needs no leader, and may be old. */
export async function members(
  kvstore: Kvstore,
  options: CallOptions & { readonly endpoint?: string | undefined } = {},
): Promise<readonly Member[]> {
  const { endpoint } = options;
  const response =
    endpoint === undefined
      ? await kvstore.read(Cluster.memberList, { linearizable: true }, { needsLeader: true, ...options })
      : await kvstore.at(endpoint, Cluster.memberList, { linearizable: false }, options);
  return response.members.map(memberOf);
}

/**
 * Adds a member that is to be started at these URLs with the state `existing`. It learns first and votes when it is
 * promoted: one that never comes up costs no majority.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_QUORUM` while members are down, `ERR_KVSTORE_EXISTS` when the URL is a member's,
 *   `ERR_KVSTORE_LEARNER` when there is a learner already.
 */
export async function addLearner(
  kvstore: Kvstore,
  peerUrls: readonly string[],
  options: CallOptions = {},
): Promise<Member> {
  const { member } = await kvstore.write(Cluster.memberAdd, { peerUrls, isLearner: true }, options);
  if (member === undefined)
    throw new KvstoreError('ERR_KVSTORE_PROTOCOL', peerUrls.join(), 'the answer has no member');
  return memberOf(member);
}

/**
 * Gives a learner its vote. Asking again does no harm.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_LEARNER` until it has all but the newest entries: ask again later.
 */
export async function promoteLearner(kvstore: Kvstore, id: bigint, options: CallOptions = {}): Promise<void> {
  await kvstore.write(Cluster.memberPromote, { id }, options);
}

/** Tells the others under which URLs a member is reached from now on. It need not be restarted. */
export async function updateMember(
  kvstore: Kvstore,
  id: bigint,
  peerUrls: readonly string[],
  options: CallOptions = {},
): Promise<void> {
  await kvstore.write(Cluster.memberUpdate, { id, peerUrls }, options);
}

/** As people see ids: 16 hexadecimal digits. */
export function formatMemberId(id: bigint): string {
  return id.toString(16).padStart(16, '0');
}

/** @throws {KvstoreError} `ERR_KVSTORE_INVALID` */
export function parseMemberId(text: string): bigint {
  if (/^[0-9a-f]{1,16}$/i.test(text)) return BigInt(`0x${text}`);
  throw new KvstoreError(
    'ERR_KVSTORE_INVALID',
    JSON.stringify(text.slice(0, 100)),
    'no member id; it has 16 hexadecimal digits',
  );
}

/** For messages: the name where there is one, and the id. */
export function describeMember({ id, name }: Pick<Member, 'id' | 'name'>): string {
  return name === '' ? `member ${formatMemberId(id)}` : `member ${name} (${formatMemberId(id)})`;
}

function memberOf({ id, name, peerUrls, clientUrls, isLearner }: WireMember): Member {
  return { id, name, peerUrls, clientUrls, isLearner };
}
