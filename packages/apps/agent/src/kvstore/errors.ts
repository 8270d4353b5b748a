import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type MemberErrorCode =
  | 'ERR_MEMBER_NOT_CONFIGURED' // the configuration makes this node no member
  | 'ERR_MEMBER_NOT_RUNNING' // it waits for something; the message says what
  | 'ERR_MEMBER_NOT_HEALTHY' // it was started and did not come to answer in time
  | 'ERR_MEMBER_HAS_DATA' // there is a database, which is not replaced
  | 'ERR_MEMBER_NO_SNAPSHOT' // nothing was uploaded to recover from
  | 'ERR_MEMBER_UPLOAD' // what arrived is not what was sent
  | 'ERR_MEMBER_SPACE' // the disk has no room for it
  | 'ERR_MEMBER_INIT' // a node of type init begins the kvstore by itself
  | 'ERR_MEMBER_REBOOT' // the machine was installed, and is about to reboot into that
  | 'ERR_MEMBER_BUSY' // somebody else does it already
  | 'ERR_MEMBER_ADDRESS' // no address of this node fits the configuration
  | 'ERR_MEMBER_JOIN' // no member took it in
  | 'ERR_MEMBER_PROGRAM'; // etcd is missing, too old, or does not start

const kinds: ErrorKinds<MemberErrorCode> = {
  ERR_MEMBER_NOT_CONFIGURED: 'refused',
  ERR_MEMBER_NOT_RUNNING: 'refused',
  ERR_MEMBER_NOT_HEALTHY: 'timeout',
  ERR_MEMBER_HAS_DATA: 'exists',
  ERR_MEMBER_NO_SNAPSHOT: 'refused',
  ERR_MEMBER_UPLOAD: 'invalid',
  ERR_MEMBER_SPACE: 'exhausted',
  ERR_MEMBER_INIT: 'refused',
  ERR_MEMBER_REBOOT: 'refused',
  ERR_MEMBER_BUSY: 'busy',
  ERR_MEMBER_ADDRESS: 'refused',
  ERR_MEMBER_JOIN: 'refused',
  ERR_MEMBER_PROGRAM: 'refused',
};

/** What keeps this node's member of the kvstore from doing what was asked. */
export class MemberError extends CodedError<MemberErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'MemberError';
  }
}
