import { Maintenance } from '../gen/etcdserverpb.js';
import { isKvstoreError, KvstoreError } from './errors.ts';
import { inspect, type MemberView } from './inspect.ts';
import type { CallOptions, Kvstore } from './kvstore.ts';
import type { Member } from './members.ts';

/** What a member has, in one number. */
export type MemberHash = {
  readonly member: Member;
  readonly hash: number;
  /** Hashes of members that have forgotten different parts of history can't be compared. */
  readonly compactRevision: bigint;
};

export type HashComparison = {
  /** All keys up to this revision were hashed. */
  readonly revision: bigint;
  readonly hashes: readonly MemberHash[];
  /** Members that gave none, with the reason; learners can't. */
  readonly missing: readonly { readonly member: Member; readonly error: KvstoreError }[];
  /** `unknown` when fewer than two can be compared. */
  readonly verdict: 'equal' | 'different' | 'unknown';
};

/** A hash reads the whole key space. */
const hashTimeoutMs = 120_000;

/** Compares what the members have, at one revision that all of them have reached. Each reads all its keys for it. */
export async function compareHashes(kvstore: Kvstore, options: CallOptions = {}): Promise<HashComparison> {
  const view = await inspect(kvstore, options);
  const revisions = view.members.flatMap(({ status }) =>
    status === undefined || status.isLearner ? [] : [status.revision],
  );
  const revision = revisions.reduce((least, next) => (next < least ? next : least), revisions[0] ?? 0n);
  const hashes: MemberHash[] = [];
  const missing: { member: Member; error: KvstoreError }[] = [];
  await Promise.all(
    view.members.map(async (each) => {
      const answer = await hashOf(kvstore, each, revision, options);
      if (answer instanceof KvstoreError) missing.push({ member: each.member, error: answer });
      else hashes.push(answer);
    }),
  );
  return { revision, hashes, missing, verdict: verdictOf(hashes) };
}

/** The hash of one member's whole file, other buckets included. It changes with every write. */
export async function hashFile(
  kvstore: Kvstore,
  endpoint: string,
  options: CallOptions = {},
): Promise<number> {
  return (await kvstore.at(endpoint, Maintenance.hash, {}, { timeoutMs: hashTimeoutMs, ...options })).hash;
}

async function hashOf(
  kvstore: Kvstore,
  { member, endpoint, error }: MemberView,
  revision: bigint,
  options: CallOptions,
): Promise<MemberHash | KvstoreError> {
  if (endpoint === undefined)
    return error ?? new KvstoreError('ERR_KVSTORE_UNREACHABLE', member.name, 'does not answer');
  try {
    const limits = { timeoutMs: hashTimeoutMs, ...options };
    const { hash, compactRevision } = await kvstore.at(endpoint, Maintenance.hashKV, { revision }, limits);
    return { member, hash, compactRevision };
  } catch (failure) {
    options.signal?.throwIfAborted();
    if (isKvstoreError(failure)) return failure;
    throw failure;
  }
}

export function verdictOf(hashes: readonly MemberHash[]): HashComparison['verdict'] {
  const groups = Map.groupBy(hashes, ({ compactRevision }) => compactRevision);
  const comparable = [...groups.values()].filter((group) => group.length > 1);
  if (comparable.some((group) => new Set(group.map(({ hash }) => hash)).size > 1)) return 'different';
  return comparable.length === 1 && comparable[0]?.length === hashes.length ? 'equal' : 'unknown';
}
