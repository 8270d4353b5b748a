import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

/** Stable: programs compare it, users see it. */
export type LinkErrorCode =
  | 'ERR_LINK_UNREACHABLE' // no TLS connection comes about
  | 'ERR_LINK_CERTIFICATE' // the fleet's certificate is not one that the machine trusts
  | 'ERR_LINK_PROTOCOL' // the other end does not speak fleet-link/1, or breaks it
  | 'ERR_LINK_PROOF' // the machine does not have the key it names
  | 'ERR_LINK_TOO_LARGE' // a line is longer than it may be
  | 'ERR_LINK_TARGET' // the machine does not open this target
  | 'ERR_LINK_BUSY' // as many streams are open as the machine allows
  | 'ERR_LINK_SILENT' // the other end does not answer pings, or not in time
  | 'ERR_LINK_CLOSED'; // the link is gone

const kinds: ErrorKinds<LinkErrorCode> = {
  ERR_LINK_UNREACHABLE: 'unavailable',
  ERR_LINK_CERTIFICATE: 'refused',
  ERR_LINK_PROTOCOL: 'invalid',
  ERR_LINK_PROOF: 'refused',
  ERR_LINK_TOO_LARGE: 'invalid',
  ERR_LINK_TARGET: 'refused',
  ERR_LINK_BUSY: 'busy',
  ERR_LINK_SILENT: 'unavailable',
  ERR_LINK_CLOSED: 'unavailable',
};

/** What is wrong with a link. Never carries a token or key bytes. */
export class LinkError extends CodedError<LinkErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'LinkError';
  }
}
