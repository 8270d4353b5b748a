import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type KvstoreErrorCode =
  | 'ERR_KVSTORE_ENDPOINT' // not a client URL
  | 'ERR_KVSTORE_UNREACHABLE' // no connection, or it broke; what was asked for may have been done when it broke
  | 'ERR_KVSTORE_CERTIFICATE' // one side does not accept the other's certificate, or ours can't be used
  | 'ERR_KVSTORE_PROTOCOL' // no etcd there
  | 'ERR_KVSTORE_TIMEOUT' // no answer in time; what was asked for may have been done
  | 'ERR_KVSTORE_NO_LEADER' // no majority, or an election that lasts
  | 'ERR_KVSTORE_NOT_LEADER' // only the leader can do that
  | 'ERR_KVSTORE_QUORUM' // the change would leave too few healthy members
  | 'ERR_KVSTORE_NO_SPACE' // the quota is used up: reads and deletions only, until the alarm is disarmed
  | 'ERR_KVSTORE_CORRUPT' // members have different data
  | 'ERR_KVSTORE_BUSY' // too many requests
  | 'ERR_KVSTORE_DENIED' // authentication is on, and the certificate's user may not do that
  | 'ERR_KVSTORE_NOT_FOUND' // no such member, key, lease or alarm
  | 'ERR_KVSTORE_EXISTS' // a member with that peer URL is there already
  | 'ERR_KVSTORE_COMPACTED' // the revision is gone
  | 'ERR_KVSTORE_FUTURE_REVISION' // the revision has not come yet
  | 'ERR_KVSTORE_LEARNER' // a learner can't do that, or is not in step yet
  | 'ERR_KVSTORE_DOWNGRADE' // that version can't be gone back to, or a downgrade runs already, or none does
  | 'ERR_KVSTORE_INVALID' // the request itself
  | 'ERR_KVSTORE_UNSUPPORTED' // this version of etcd can't do that
  | 'ERR_KVSTORE_REFUSED' // unsafe now; the message says why and what to do
  | 'ERR_KVSTORE_LOCKED' // somebody else does maintenance
  | 'ERR_KVSTORE_FILE_EXISTS' // it would be replaced
  | 'ERR_KVSTORE_DISK_FULL' // no room for a file; nothing of it is left
  | 'ERR_KVSTORE_FILE' // a file can't be read or written
  | 'ERR_KVSTORE_SNAPSHOT_FOREIGN' // no database, or none of etcd
  | 'ERR_KVSTORE_SNAPSHOT_TRUNCATED' // cut off
  | 'ERR_KVSTORE_SNAPSHOT_DIGEST' // not the bytes that etcd sent
  | 'ERR_KVSTORE_SNAPSHOT_DAMAGED' // pages that contradict each other; see `page`
  | 'ERR_KVSTORE_FAILED'; // anything else

const kinds: ErrorKinds<KvstoreErrorCode> = {
  ERR_KVSTORE_ENDPOINT: 'invalid',
  ERR_KVSTORE_UNREACHABLE: 'unavailable',
  ERR_KVSTORE_CERTIFICATE: 'refused',
  ERR_KVSTORE_PROTOCOL: 'unsupported',
  ERR_KVSTORE_TIMEOUT: 'timeout',
  ERR_KVSTORE_NO_LEADER: 'unavailable',
  ERR_KVSTORE_NOT_LEADER: 'refused',
  ERR_KVSTORE_QUORUM: 'refused',
  ERR_KVSTORE_NO_SPACE: 'exhausted',
  ERR_KVSTORE_CORRUPT: 'damaged',
  ERR_KVSTORE_BUSY: 'exhausted',
  ERR_KVSTORE_DENIED: 'denied',
  ERR_KVSTORE_NOT_FOUND: 'not-found',
  ERR_KVSTORE_EXISTS: 'exists',
  ERR_KVSTORE_COMPACTED: 'out-of-range',
  ERR_KVSTORE_FUTURE_REVISION: 'out-of-range',
  ERR_KVSTORE_LEARNER: 'refused',
  ERR_KVSTORE_DOWNGRADE: 'refused',
  ERR_KVSTORE_INVALID: 'invalid',
  ERR_KVSTORE_UNSUPPORTED: 'unsupported',
  ERR_KVSTORE_REFUSED: 'refused',
  ERR_KVSTORE_LOCKED: 'busy',
  ERR_KVSTORE_FILE_EXISTS: 'exists',
  ERR_KVSTORE_DISK_FULL: 'exhausted',
  ERR_KVSTORE_FILE: 'internal',
  ERR_KVSTORE_SNAPSHOT_FOREIGN: 'invalid',
  ERR_KVSTORE_SNAPSHOT_TRUNCATED: 'damaged',
  ERR_KVSTORE_SNAPSHOT_DIGEST: 'damaged',
  ERR_KVSTORE_SNAPSHOT_DAMAGED: 'damaged',
  ERR_KVSTORE_FAILED: 'internal',
};

export type KvstoreErrorOptions = ErrorOptions & { readonly page?: bigint | undefined };

/** Something about etcd that a program can tell apart. The subject is an endpoint, a member or what was asked for. */
export class KvstoreError extends CodedError<KvstoreErrorCode> {
  readonly subject: string;
  /** Of a database, where one is to blame. */
  readonly page: bigint | undefined;

  constructor(code: KvstoreErrorCode, subject: string, message: string, options: KvstoreErrorOptions = {}) {
    super(code, `${subject}: ${message}`, options);
    this.subject = subject;
    this.page = options.page;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'KvstoreError';
  }
}

export function isKvstoreError(error: unknown, ...codes: readonly KvstoreErrorCode[]): error is KvstoreError {
  return error instanceof KvstoreError && (codes.length === 0 || codes.includes(error.code));
}
