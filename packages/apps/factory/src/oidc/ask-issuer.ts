import { lookup } from 'node:dns';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

import { codeOf } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';
import { isPrivateAddress } from './private-address.ts';

/** What an issuer is asked, as `fetch` would be. */
export type IssuerRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

export type AskOptions = {
  /** The issuer, as it is configured. */
  readonly issuer: string;
  /** How long it may take to answer, to the last byte. */
  readonly timeoutMs: number;
  /** The most bytes that an answer has. */
  readonly maxBytes: number;
};

/**
 * Asks an issuer of tokens. What it says of itself leads nowhere else: no redirect is followed, and another host than its own is asked
 * only at an address of the internet, in the way the issuer is.
 *
 * @throws {FactoryError} with `ERR_FACTORY_ISSUER`, naming the address without its query.
 */
export async function askIssuer(
  url: URL,
  { method, headers, body }: IssuerRequest,
  { issuer, timeoutMs, maxBytes }: AskOptions,
): Promise<Response> {
  const own = new URL(issuer);
  const name = `${url.origin}${url.pathname}`;
  const wrong = (what: string, cause?: unknown): FactoryError =>
    new FactoryError('ERR_FACTORY_ISSUER', `${name}: ${what}`, { cause });
  if (url.protocol !== own.protocol)
    throw new FactoryError(
      'ERR_FACTORY_ISSUER',
      `${issuer}: names an address that is no ${own.protocol} one`,
    );
  const isOwn = url.host === own.host;
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (!isOwn && isIP(literal) !== 0 && isPrivateAddress(literal))
    throw wrong('is an address of no other host');
  const signal = AbortSignal.timeout(timeoutMs);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = (url.protocol === 'https:' ? tlsRequest : plainRequest)(
    url,
    { method, headers, signal, agent: false, ...(isOwn ? {} : { lookup: lookupOfInternet }) },
    resolve,
  );
  sent.on('error', reject);
  sent.end(body);
  try {
    const incoming = await promise;
    const status = incoming.statusCode ?? 0;
    if (status < 200 || (status >= 300 && status < 400))
      throw wrong(`answers ${status}, and leads elsewhere`);
    const text = await collect(incoming, maxBytes);
    if (text === undefined) throw wrong(`answers more than ${maxBytes} bytes`);
    return new Response(status === 204 ? null : text, {
      status,
      headers: { 'content-type': incoming.headers['content-type'] ?? '' },
    });
  } catch (error) {
    if (error instanceof FactoryError) throw error;
    throw wrong(signal.aborted ? `has not answered in ${timeoutMs} ms` : (codeOf(error) ?? 'fails'), error);
  } finally {
    sent.destroy();
  }
}

/** Finds addresses of the internet alone: a name may lead into networks of this machine, and anew at each question. */
const lookupOfInternet: LookupFunction = (hostname, options, told) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const found = error ? [] : addresses.filter(({ address }) => !isPrivateAddress(address));
    const [first] = found;
    if (error) told(error, '', 0);
    else if (first === undefined)
      told(Object.assign(new Error('only private addresses'), { code: 'EADDRNOTAVAIL' }), '', 0);
    else if (options.all === true) told(null, found);
    else told(null, first.address, first.family);
  });
};

/** @returns undefined for more bytes than these. */
async function collect(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    parts.push(chunk);
  }
  return new Uint8Array(Buffer.concat(parts));
}
