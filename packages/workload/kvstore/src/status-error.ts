import { status } from '@grpc/grpc-js';

import { KvstoreError, type KvstoreErrorCode } from './errors.ts';

/** What a gRPC status other than OK means. https://grpc.io/docs/guides/status-codes/ */
export function statusError(endpoint: string, code: number, details: string, cause?: unknown): KvstoreError {
  const known = ambiguous.has(code) ? byDetails[details] : undefined;
  const said = details === '' ? (status[code] ?? `status ${code}`) : details;
  const next = nextSteps[details];
  const words = next === undefined ? said : `${said}; ${next}`;
  const options = { cause: cause ?? new Error(said) };
  return new KvstoreError(known ?? byStatus[code] ?? 'ERR_KVSTORE_FAILED', endpoint, words, options);
}

/** Whether a call was refused, undone, because it had no token, or one that the members have forgotten. */
export function asksForLogin(error: unknown): boolean {
  if (!(error instanceof KvstoreError) || !(error.cause instanceof Error)) return false;
  const { cause } = error;
  return loginWords.has('details' in cause ? String(cause.details) : cause.message);
}

const loginWords: ReadonlySet<string> = new Set([
  'etcdserver: invalid auth token',
  'etcdserver: revision of auth store is old',
  'etcdserver: user name is empty',
  // Of streams, which etcd does not translate.
  'auth: invalid auth token',
  'auth: revision in header is old',
  'auth: user name is empty',
]);

const byStatus: Readonly<Record<number, KvstoreErrorCode>> = {
  [status.CANCELLED]: 'ERR_KVSTORE_UNREACHABLE', // not by us: the member ends
  [status.INVALID_ARGUMENT]: 'ERR_KVSTORE_INVALID',
  [status.DEADLINE_EXCEEDED]: 'ERR_KVSTORE_TIMEOUT',
  [status.NOT_FOUND]: 'ERR_KVSTORE_NOT_FOUND',
  [status.ALREADY_EXISTS]: 'ERR_KVSTORE_EXISTS',
  [status.PERMISSION_DENIED]: 'ERR_KVSTORE_DENIED',
  [status.UNAUTHENTICATED]: 'ERR_KVSTORE_DENIED',
  [status.RESOURCE_EXHAUSTED]: 'ERR_KVSTORE_BUSY',
  [status.FAILED_PRECONDITION]: 'ERR_KVSTORE_REFUSED',
  [status.OUT_OF_RANGE]: 'ERR_KVSTORE_INVALID',
  [status.UNIMPLEMENTED]: 'ERR_KVSTORE_UNSUPPORTED',
  [status.UNAVAILABLE]: 'ERR_KVSTORE_UNREACHABLE',
  [status.DATA_LOSS]: 'ERR_KVSTORE_CORRUPT',
};

/** Statuses that etcd uses for conditions which have different remedies; its words are all that tells them apart. */
const ambiguous: ReadonlySet<number> = new Set([
  status.UNKNOWN,
  status.INVALID_ARGUMENT,
  status.RESOURCE_EXHAUSTED,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
  status.UNAVAILABLE,
]);

/** The words of etcd's servers, which its own client tells errors apart by as well (rpctypes). */
const byDetails: Readonly<Record<string, KvstoreErrorCode>> = {
  'etcdserver: mvcc: database space exceeded': 'ERR_KVSTORE_NO_SPACE',
  'etcdserver: mvcc: required revision has been compacted': 'ERR_KVSTORE_COMPACTED',
  'etcdserver: mvcc: required revision is a future revision': 'ERR_KVSTORE_FUTURE_REVISION',
  'etcdserver: member ID already exist': 'ERR_KVSTORE_EXISTS',
  'etcdserver: Peer URLs already exists': 'ERR_KVSTORE_EXISTS',
  'etcdserver: re-configuration failed due to not enough started members': 'ERR_KVSTORE_QUORUM',
  'etcdserver: unhealthy cluster': 'ERR_KVSTORE_QUORUM',
  'etcdserver: can only promote a learner member': 'ERR_KVSTORE_LEARNER',
  'etcdserver: can only promote a learner member which is in sync with leader': 'ERR_KVSTORE_LEARNER',
  'etcdserver: too many learner members in cluster': 'ERR_KVSTORE_LEARNER',
  'etcdserver: rpc not supported for learner': 'ERR_KVSTORE_LEARNER',
  'etcdserver: bad leader transferee': 'ERR_KVSTORE_LEARNER',
  'etcdserver: authentication failed, invalid user ID or password': 'ERR_KVSTORE_DENIED',
  'etcdserver: user name is empty': 'ERR_KVSTORE_DENIED',
  'etcdserver: user name not found': 'ERR_KVSTORE_DENIED', // the certificate's, or that of a token
  // Of streams, which etcd does not translate.
  'auth: user name is empty': 'ERR_KVSTORE_DENIED',
  'auth: user not found': 'ERR_KVSTORE_DENIED',
  'auth: permission denied': 'ERR_KVSTORE_DENIED',
  'auth: invalid auth token': 'ERR_KVSTORE_DENIED',
  'auth: revision in header is old': 'ERR_KVSTORE_DENIED',
  'auth: authentication failed, invalid user ID or password': 'ERR_KVSTORE_DENIED',
  'etcdserver: no leader': 'ERR_KVSTORE_NO_LEADER',
  'etcdserver: not leader': 'ERR_KVSTORE_NOT_LEADER',
  'etcdserver: leader changed': 'ERR_KVSTORE_NO_LEADER',
  'etcdserver: request timed out': 'ERR_KVSTORE_NO_LEADER',
  'etcdserver: request timed out, possibly due to previous leader failure': 'ERR_KVSTORE_NO_LEADER',
  'etcdserver: request timed out, possibly due to connection lost': 'ERR_KVSTORE_NO_LEADER',
  'etcdserver: not capable': 'ERR_KVSTORE_UNSUPPORTED',
  'etcdserver: wrong downgrade target version format': 'ERR_KVSTORE_DOWNGRADE',
  'etcdserver: invalid downgrade target version': 'ERR_KVSTORE_DOWNGRADE',
  'etcdserver: cluster has a downgrade job in progress': 'ERR_KVSTORE_DOWNGRADE',
  'etcdserver: no inflight downgrade job': 'ERR_KVSTORE_DOWNGRADE',
  'etcdserver: cluster version not found during downgrade': 'ERR_KVSTORE_DOWNGRADE',
};

/** What to do where etcd's words don't say it. */
const nextSteps: Readonly<Record<string, string>> = {
  'etcdserver: invalid downgrade target version': 'name the minor version before that of the cluster',
  'auth: user not found': 'it has no user of the name that the certificate or the login says',
  'etcdserver: user name not found': 'it has no user of the name that the certificate or the login says',
  'auth: user name is empty': 'it asks for a user: give a certificate of one, or a name and a password',
  'etcdserver: user name is empty': 'it asks for a user: give a certificate of one, or a name and a password',
  'etcdserver: no inflight downgrade job': 'nothing was to be cancelled',
  'etcdserver: unhealthy cluster': 'its members must have seen each other for 5 s: try again then',
};
