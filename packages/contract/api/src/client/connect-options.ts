import type { Secret } from '@nodecore/sys';
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { ApiError } from '../errors.ts';
import type { CallSigner } from './channel.ts';

export type ConnectOptions = {
  /** `host`, `host:port` or `[IPv6]:port`; the port is 50000 unless it is said. `unix:/path` of a socket of this computer. */
  readonly endpoint: string;
  /** Cluster behind a proxy endpoint. */
  readonly cluster?: string | undefined;
  /** URL of a proxy to go through: `http:`, `https:` (CONNECT) or `socks5:`. Default: none, whatever the environment says. */
  readonly proxy?: string | undefined;
} & (
  | {
      /** PEM of the authority that signed the node's certificate. */
      readonly ca: Uint8Array | string;
      /** PEM of the client certificate. */
      readonly crt: Uint8Array | string;
      /** PEM of its key. Read once, during `connect`. */
      readonly key: Secret | Uint8Array;
      readonly insecure?: false;
    }
  | {
      /** PEM of the authorities that may have signed the server's certificate; absent: those of the public. */
      readonly ca?: Uint8Array | string | undefined;
      /** Signs each call in place of a client certificate. */
      readonly sign: CallSigner;
      /** Accept any certificate: a machine in the middle can read what is sent. */
      readonly unverified?: boolean;
      readonly insecure?: false;
    }
  | {
      /** Talk to a node in maintenance mode: no client certificate, and the node's is accepted by fingerprint. */
      readonly insecure: true;
      /** SPKI SHA-256 of the certificates to accept, base64 or hexadecimal; none: any. */
      readonly fingerprints?: readonly string[] | undefined;
      /** Signs each call: for servers that are no nodes, and know their callers by a token. */
      readonly sign?: CallSigner;
    }
);

/** What TLS needs of them. @throws {ApiError} `ERR_API_CREDENTIALS`. */
export function contextOf(options: ConnectOptions): SecureContext {
  if (options.insecure === true) return createSecureContext();
  try {
    if ('sign' in options)
      return createSecureContext(options.ca === undefined ? {} : { ca: pem(options.ca) });
    return createSecureContext({ ca: pem(options.ca), cert: pem(options.crt), key: pem(options.key) });
  } catch (cause) {
    const { endpoint } = options;
    const words = 'the authority, certificate and key of the context are no PEM, or do not belong together';
    throw new ApiError('ERR_API_CREDENTIALS', `${endpoint}: ${words}`, { endpoint, cause });
  }
}

/** When the client's own certificate expires; undefined without one. */
export function clientExpiryOf(options: ConnectOptions): Date | undefined {
  return options.insecure === true || 'sign' in options
    ? undefined
    : new X509Certificate(pem(options.crt)).validToDate;
}

function pem(value: Secret | Uint8Array | string): Buffer | string {
  if (typeof value === 'string') return value;
  const bytes = value instanceof Uint8Array ? value : value.bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
