import { alarms, type Alarm, type AlarmKind } from './alarms.ts';
import { isUnspecified, parseEndpoint } from './endpoint.ts';
import { isKvstoreError, KvstoreError } from './errors.ts';
import type { CallOptions, Kvstore } from './kvstore.ts';
import { describeMember, members, type Member } from './members.ts';
import { status, type MemberStatus } from './status.ts';

/** A member of the list, and what it says itself. */
export type MemberView = {
  readonly member: Member;
  /** Where it answered; undefined when it did nowhere. */
  readonly endpoint: string | undefined;
  readonly status: MemberStatus | undefined;
  /** Why there is no status. */
  readonly error: KvstoreError | undefined;
  /** Raised for it; empty also while it is unknown, for want of a leader. */
  readonly alarms: readonly AlarmKind[];
};

/** A whole cluster, seen from here. */
export type ClusterView = {
  readonly members: readonly MemberView[];
  /** Whom most members that answer take for the leader; undefined when they know of none. */
  readonly leaderId: bigint | undefined;
};

/** A member that answers nothing in this time counts as down. */
const statusTimeoutMs = 2_000;

/**
 * Asks every member for its status, at the endpoints we were given and at those that the members advertise. Members that
 * don't answer are in the result with the reason; where others do is remembered for when the endpoints we were given don't.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_REFUSED` when the endpoints belong to several clusters.
 */
export async function inspect(kvstore: Kvstore, options: CallOptions = {}): Promise<ClusterView> {
  const known = await listed(kvstore, options);
  const candidates = new Set([
    ...kvstore.endpoints,
    ...known.flatMap((member) => reachable(kvstore, member)),
  ]);
  const answers = new Map<string, MemberStatus | KvstoreError>();
  await Promise.all(
    Array.from(candidates, async (endpoint) => {
      answers.set(endpoint, await statusOrError(kvstore, endpoint, options));
    }),
  );
  assertOneCluster(answers);
  kvstore.discover([...answers].flatMap(([url, answer]) => (answer instanceof KvstoreError ? [] : [url])));
  const views = known.map((member) => viewOf(kvstore, member, answers));
  const leaderId = leaderOf(views);
  const raised = leaderId === undefined ? [] : await raisedAlarms(kvstore, options);
  const alarmsOf = (id: bigint): AlarmKind[] =>
    raised.filter(({ memberId }) => memberId === id).map(({ kind }) => kind);
  return { members: views.map((view) => ({ ...view, alarms: alarmsOf(view.member.id) })), leaderId };
}

/** Without a majority there is no agreed list; what a member remembers is good enough to say who is down. */
async function listed(kvstore: Kvstore, options: CallOptions): Promise<readonly Member[]> {
  try {
    return await members(kvstore, { ...options, timeoutMs: statusTimeoutMs });
  } catch (error) {
    options.signal?.throwIfAborted();
    for (const endpoint of kvstore.endpoints) {
      const remembered = await members(kvstore, { ...options, endpoint, timeoutMs: statusTimeoutMs }).catch(
        () => undefined,
      );
      if (remembered !== undefined) return remembered;
    }
    throw error;
  }
}

async function raisedAlarms(kvstore: Kvstore, options: CallOptions): Promise<readonly Alarm[]> {
  try {
    return await alarms(kvstore, { ...options, timeoutMs: statusTimeoutMs });
  } catch (error) {
    options.signal?.throwIfAborted();
    if (isKvstoreError(error)) return [];
    throw error;
  }
}

function reachable(kvstore: Kvstore, { clientUrls }: Member): string[] {
  return clientUrls.flatMap((url) => {
    try {
      const { host, text } = parseEndpoint(url, kvstore.hasTls);
      return isUnspecified(host) ? [] : [text];
    } catch (error) {
      if (isKvstoreError(error)) return []; // https without a certificate, a unix socket
      throw error;
    }
  });
}

async function statusOrError(
  kvstore: Kvstore,
  endpoint: string,
  { signal }: CallOptions,
): Promise<MemberStatus | KvstoreError> {
  try {
    return await status(kvstore, endpoint, { signal, timeoutMs: statusTimeoutMs });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof KvstoreError) return error;
    throw error;
  }
}

function assertOneCluster(answers: ReadonlyMap<string, MemberStatus | KvstoreError>): void {
  const clusters = new Map<bigint, string>();
  for (const [endpoint, answer] of answers)
    if (!(answer instanceof KvstoreError)) clusters.set(answer.clusterId, endpoint);
  if (clusters.size <= 1) return;
  throw new KvstoreError(
    'ERR_KVSTORE_REFUSED',
    [...clusters.values()].join(' and '),
    'belong to different clusters; name endpoints of one',
  );
}

function viewOf(
  kvstore: Kvstore,
  member: Member,
  answers: ReadonlyMap<string, MemberStatus | KvstoreError>,
): Omit<MemberView, 'alarms'> {
  for (const [endpoint, answer] of answers)
    if (!(answer instanceof KvstoreError) && answer.memberId === member.id)
      return { member, endpoint, status: answer, error: undefined };
  const failures = reachable(kvstore, member).map((url) => answers.get(url));
  const error = failures.find((answer) => answer instanceof KvstoreError);
  return { member, endpoint: undefined, status: undefined, error: error ?? silent(member) };
}

function silent(member: Member): KvstoreError {
  const why = member.name === '' ? 'has not started yet' : 'answers at none of the endpoints we know';
  return new KvstoreError('ERR_KVSTORE_UNREACHABLE', describeMember(member), why);
}

function leaderOf(views: readonly Pick<MemberView, 'status'>[]): bigint | undefined {
  const votes = new Map<bigint, number>();
  for (const { status } of views)
    if (status !== undefined && status.leaderId !== 0n)
      votes.set(status.leaderId, (votes.get(status.leaderId) ?? 0) + 1);
  return [...votes].toSorted(([, left], [, right]) => right - left)[0]?.[0];
}
