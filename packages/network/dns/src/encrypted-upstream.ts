import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { isIP } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';

import { onAbort } from '@nodecore/waiting';

import { DnsError } from './errors.ts';
import { Message } from './message.ts';
import { failureOf, StreamUpstream } from './stream-upstream.ts';
import { checkAnswer, placeOf, type Upstream, type UpstreamAddress } from './upstream.ts';

export type EncryptedOptions = {
  /** Whom to trust, PEM; those that Node.js trusts by default. */
  readonly authorities?: readonly string[];
};

const longestAnswer = 0xffff;
const idleMs = 30_000;

/** DNS over TLS (RFC 7858): the certificate has to be for the server's name. */
export function tlsUpstream(address: UpstreamAddress, options: EncryptedOptions = {}): Upstream {
  const { name, at } = placeOf(address);
  return new StreamUpstream({ name, at, connect: () => secure(address, at, 'dot', options) });
}

/** DNS over HTTPS (RFC 8484) by HTTP/2, at `/dns-query` of the server's name. */
export function httpsUpstream(address: UpstreamAddress, options: EncryptedOptions = {}): Upstream {
  const { name, at } = placeOf(address);
  let session: ClientHttp2Session | undefined;
  const begin = (): ClientHttp2Session => {
    if (session !== undefined && !session.closed && !session.destroyed) return session;
    const made = connectHttp2(`https://${nameOf(address)}:${at.port}`, {
      createConnection: () => secure(address, at, 'h2', options),
    });
    made.on('error', () => {}); // every stream is told, too
    made.setTimeout(idleMs, () => made.close());
    session = made;
    return made;
  };
  return {
    name,
    at,
    ask: async (query, signal) => await askOverHttps(name, begin(), query, signal),
    [Symbol.asyncDispose]: async () => {
      const ending = session;
      if (ending === undefined || ending.destroyed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      ending.once('close', resolve);
      ending.destroy();
      await promise;
    },
  };
}

function secure(
  address: UpstreamAddress,
  at: Upstream['at'],
  protocol: 'dot' | 'h2',
  { authorities }: EncryptedOptions,
): TLSSocket {
  const servername = nameOf(address);
  const options: ConnectionOptions = {
    host: at.address,
    port: at.port,
    ALPNProtocols: [protocol],
    minVersion: 'TLSv1.2',
    ...(isIP(servername) === 0 && { servername }),
    ...(authorities && { ca: [...authorities] }),
  };
  return connectTls(options);
}

/** What the certificate is checked against. */
function nameOf({ serverName, address }: UpstreamAddress): string {
  return serverName ?? address;
}

async function askOverHttps(
  name: string,
  session: ClientHttp2Session,
  query: Message,
  signal: AbortSignal,
): Promise<Message> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const bytes = Buffer.from(query.bytes);
  bytes.writeUInt16BE(0, 0); // caches on the way know a question by its bytes
  const stream = session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: '/dns-query',
    [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/dns-message',
    [constants.HTTP2_HEADER_ACCEPT]: 'application/dns-message',
    [constants.HTTP2_HEADER_CONTENT_LENGTH]: bytes.length,
  });
  using _listener = onAbort(signal, () => {
    stream.close(constants.NGHTTP2_CANCEL);
    reject(signal.reason);
  });
  const parts: Buffer[] = [];
  let length = 0;
  let status = 0;
  stream.on('response', (headers) => (status = Number(headers[':status'])));
  stream.on('data', (part: Buffer) => {
    length += part.length;
    if (length <= longestAnswer) parts.push(part);
    else {
      stream.close(constants.NGHTTP2_CANCEL);
      reject(new DnsError('ERR_DNS_MESSAGE', `${name} answers with more than 64 KiB`));
    }
  });
  // What ended the connection is the cause of what its streams say.
  stream.on('error', (error) => reject(failureOf(name, error.cause ?? error)));
  stream.on('close', () => reject(new DnsError('ERR_DNS_UNREACHABLE', `${name} has ended the connection`)));
  stream.on('end', () => {
    try {
      if (status !== 200) throw new DnsError('ERR_DNS_REFUSED', `${name} answers with HTTP ${status}`);
      const answer = new Message(Buffer.concat(parts));
      resolve(new Message(checkAnswer(query, answer).answerTo(query)));
    } catch (error) {
      reject(error);
    }
  });
  stream.end(bytes);
  return await promise;
}
