import { once } from 'node:events';
import { isIP, type Socket, SocketAddress } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { Endpoint } from './endpoint.ts';
import { formatEndpoint } from './endpoint.ts';
import type { ProxyServer } from './proxy-server.ts';

/** What a proxy has against a connection; its words may be the proxy's own number, and never a password. */
export class TunnelError extends Error {}

/**
 * Has a proxy lead a connection to it on to an endpoint.
 *
 * @param socket to the proxy; nothing was sent over it yet.
 * @returns what goes to the endpoint from now on: the same, or TLS over it.
 * @throws {TunnelError} when the proxy refuses, or is none.
 */
export async function tunnel(socket: Socket, proxy: ProxyServer, endpoint: Endpoint): Promise<Socket> {
  const over = proxy.scheme === 'https' ? await secured(socket, proxy) : socket;
  if (proxy.scheme === 'socks5') await throughSocks(over, proxy, endpoint);
  else await throughHttp(over, proxy, endpoint);
  return over;
}

async function secured(socket: Socket, { host }: ProxyServer): Promise<Socket> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const tls = connectTls({ socket, host, ...name });
  try {
    await once(tls, 'secureConnect');
  } catch (cause) {
    throw new TunnelError('its certificate, or its TLS, is not accepted', { cause });
  }
  return tls;
}

/** RFC 9110, 9.3.6. */
async function throughHttp(socket: Socket, { user }: ProxyServer, endpoint: Endpoint): Promise<void> {
  const authority = formatEndpoint(endpoint);
  const secret = user === undefined ? '' : Buffer.from(`${user.name}:${user.password}`).toString('base64');
  const lines = [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    ...(secret === '' ? [] : [`Proxy-Authorization: Basic ${secret}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  let head = '';
  while (!head.endsWith('\r\n\r\n')) {
    if (head.length > maxHeadBytes) throw new TunnelError('what it answers is no HTTP');
    head += (await take(socket, 1)).toString('latin1');
  }
  const [, status] = /^HTTP\/1\.[01] (\d{3})/u.exec(head) ?? [];
  if (status === undefined) throw new TunnelError('what it answers is no HTTP');
  if (!status.startsWith('2')) throw new TunnelError(`it refuses (HTTP status ${status})`);
}

const maxHeadBytes = 16 << 10;

/** RFC 1928, and for the password RFC 1929. */
async function throughSocks(socket: Socket, { user }: ProxyServer, { host, port }: Endpoint): Promise<void> {
  const methods = user === undefined ? [0] : [0, 2];
  socket.write(Buffer.from([5, methods.length, ...methods]));
  const [version, method] = await take(socket, 2);
  if (version !== 5) throw new TunnelError('what it answers is no SOCKS 5');
  if (method === 2 && user !== undefined) {
    socket.write(Buffer.concat([Buffer.of(1), counted(user.name), counted(user.password)]));
    const [, outcome] = await take(socket, 2);
    if (outcome !== 0) throw new TunnelError('it does not accept the user and password');
  } else if (method !== 0) throw new TunnelError('it wants a user and password');
  const to = Buffer.alloc(2);
  to.writeUInt16BE(port);
  socket.write(Buffer.concat([Buffer.of(5, 1, 0), addressOf(host), to]));
  const [, reply = 255, , kind = 0] = await take(socket, 4);
  if (reply !== 0) throw new TunnelError(`it refuses: ${replies[reply] ?? `reply ${reply}`}`);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : (await take(socket, 1))[0]!;
  await take(socket, length + 2);
}

/** RFC 1928, 6. */
const replies: readonly string[] = [
  '',
  'it has failed',
  'its rules do not allow the connection',
  'the network is not reached from there',
  'the node is not reached from there',
  'the node refuses the connection',
  'the way to the node is too long',
  'it makes no such connections',
  'it knows no such address',
];

function addressOf(host: string): Buffer {
  const family = isIP(host);
  if (family === 0) return Buffer.concat([Buffer.of(3), counted(host)]);
  if (family === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  return Buffer.concat([Buffer.of(4), bytesOfIPv6(host)]);
}

function bytesOfIPv6(host: string): Buffer {
  const { address } = new SocketAddress({ address: host, family: 'ipv6' });
  const dotted = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/u, (_all, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [front = '', back = ''] = dotted.split('::');
  const [first, last] = [front, back].map((part) => part.split(':').filter((group) => group !== ''));
  const middle = Array.from({ length: 8 - first!.length - last!.length }, () => '0');
  const bytes = Buffer.alloc(16);
  [...first!, ...middle, ...last!].forEach((group, index) =>
    bytes.writeUInt16BE(parseInt(group, 16), 2 * index),
  );
  return bytes;
}

/** @throws {TunnelError} for more than the protocol has room for. */
function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length === 0 || bytes.length > 255)
    throw new TunnelError('names, users and passwords of SOCKS 5 have 1 to 255 bytes');
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

/** So many bytes, and not one more: what follows is the endpoint's. */
async function take(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(count) as Buffer | null;
    if (bytes?.length === count) return bytes;
    if (bytes !== null || socket.readableEnded || socket.destroyed)
      throw new TunnelError('it hung up before the connection was made');
    const ended = new AbortController();
    try {
      await Promise.race(
        ['readable', 'end', 'close'].map((event) => once(socket, event, { signal: ended.signal })),
      );
    } catch (cause) {
      throw new TunnelError('the connection to it was lost', { cause });
    } finally {
      ended.abort();
    }
  }
}
