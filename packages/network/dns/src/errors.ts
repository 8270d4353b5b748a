import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type DnsErrorCode =
  | 'ERR_DNS_MESSAGE' // bytes that are no message of DNS
  | 'ERR_DNS_TIMEOUT' // an upstream did not answer in time
  | 'ERR_DNS_CERTIFICATE' // an upstream's certificate is not one for its name
  | 'ERR_DNS_UNREACHABLE' // no connection with an upstream comes about, or it ends
  | 'ERR_DNS_REFUSED' // an upstream answers that it can't, or does not want to
  | 'ERR_DNS_LOOP' // an upstream is the stub itself
  | 'ERR_DNS_NO_UPSTREAM'; // there is nobody to ask

const kinds: ErrorKinds<DnsErrorCode> = {
  ERR_DNS_MESSAGE: 'invalid',
  ERR_DNS_TIMEOUT: 'unavailable',
  ERR_DNS_CERTIFICATE: 'refused',
  ERR_DNS_UNREACHABLE: 'unavailable',
  ERR_DNS_REFUSED: 'refused',
  ERR_DNS_LOOP: 'refused',
  ERR_DNS_NO_UPSTREAM: 'unavailable',
};

/** Why a question has no answer. */
export class DnsError extends CodedError<DnsErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'DnsError';
  }
}
