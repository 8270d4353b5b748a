import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type KeyServerErrorCode =
  | 'ERR_KMS_RING_DAMAGED' // the file is no key ring, or was cut or changed
  | 'ERR_KMS_RING_ACCESS' // others may read it, or it is no file of ours
  | 'ERR_KMS_RING_MISSING'
  | 'ERR_KMS_RING_EXISTS' // a new ring would replace one
  | 'ERR_KMS_RING_BUSY' // somebody else changes it
  | 'ERR_KMS_RING_KEY' // no such key in the ring, or not one for this
  | 'ERR_KMS_SETUP' // options that can't be served, or that are not safe
  | 'ERR_KMS_NODES' // the list of nodes can't be read
  | 'ERR_KMS_AUDIT'; // the audit log can't be written

const kinds: ErrorKinds<KeyServerErrorCode> = {
  ERR_KMS_RING_DAMAGED: 'damaged',
  ERR_KMS_RING_ACCESS: 'denied',
  ERR_KMS_RING_MISSING: 'not-found',
  ERR_KMS_RING_EXISTS: 'exists',
  ERR_KMS_RING_BUSY: 'busy',
  ERR_KMS_RING_KEY: 'invalid',
  ERR_KMS_SETUP: 'invalid',
  ERR_KMS_NODES: 'invalid',
  ERR_KMS_AUDIT: 'internal',
};

/** The key server or its ring can't be used as they are. Never contains key material. */
export class KeyServerError extends CodedError<KeyServerErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'KeyServerError';
  }
}
