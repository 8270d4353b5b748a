import { isIPv4, isIPv6 } from 'node:net';

import { KvstoreError } from './errors.ts';

/** Where one member serves clients. */
export type Endpoint = {
  /** Name or address; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** The URL in one spelling: equal texts are equal endpoints. */
  readonly text: string;
};

/** Where etcd serves clients unless it is told otherwise. */
const defaultPort = 2379;

/**
 * Reads `https://host:port`, `http://host:port` or `host:port`, which is https when a certificate is at hand.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_ENDPOINT`
 */
export function parseEndpoint(text: string, hasTls: boolean): Endpoint {
  const [, scheme = hasTls ? 'https' : 'http', rest = ''] = /^(?:([a-z]+):\/\/)?(.*?)\/?$/i.exec(text) ?? [];
  const match = /^(?:\[([^\]]+)\]|([^:[\]/?#@\s]+))(?::(\d{1,5}))?$/.exec(rest);
  const host = (match?.[1] ?? match?.[2] ?? '').toLowerCase();
  const port = match?.[3] === undefined ? defaultPort : Number(match[3]);
  const isHost = match?.[1] === undefined ? host !== '' : isIPv6(host);
  const tls = scheme.toLowerCase() === 'https';
  if (!isHost || port < 1 || port > 65_535 || (!tls && scheme.toLowerCase() !== 'http')) {
    throw new KvstoreError(
      'ERR_KVSTORE_ENDPOINT',
      JSON.stringify(text.slice(0, 300)),
      'no client URL; write https://HOST:PORT',
    );
  }
  if (tls && !hasTls) {
    throw new KvstoreError(
      'ERR_KVSTORE_ENDPOINT',
      text,
      'https needs an authority (tls), and mostly a client certificate',
    );
  }
  return { host, port, tls, text: `${tls ? 'https' : 'http'}://${authorityOf(host, port)}` };
}

/** `host:port`, with brackets where they are needed. */
export function authorityOf(host: string, port: number): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Whether a host stands for all addresses of the machine that said it, and so for none to others. */
export function isUnspecified(host: string): boolean {
  return isIPv4(host) ? host === '0.0.0.0' : /^[0:]+$/.test(host) && isIPv6(host);
}
