import { isIPv6 } from 'node:net';

/** Where the API of a node listens unless it is told otherwise. */
export const defaultPort = 50000;

export type Endpoint = {
  /** Name or address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** A socket of this computer in place of a port. */
  readonly path?: string;
};

const unixScheme = 'unix:';

/**
 * {@link parseEndpoint}, and `unix:/run/example.sock` besides. Whoever listens there is `localhost` by its certificate.
 * Throws a `TypeError` for anything else.
 */
export function parseServerEndpoint(text: string): Endpoint {
  if (!text.startsWith(unixScheme)) return parseEndpoint(text);
  const path = text.slice(unixScheme.length);
  const problem = socketPathProblem(path);
  if (problem !== undefined) throw new TypeError(`${JSON.stringify(text)} is no endpoint: ${problem}`);
  return { host: 'localhost', port: 0, path };
}

/** unix(7): a longer path is cut off, and leads elsewhere. */
const longestPathBytes = 107;

/** Why no socket can have this path; undefined for one that can. */
export function socketPathProblem(path: string): string | undefined {
  if (!path.startsWith('/')) return 'an absolute path is expected, such as unix:/run/example.sock';
  if (/[\0%?#]/u.test(path)) return 'its path has a sign that addresses give another meaning';
  const bytes = Buffer.byteLength(path);
  return bytes > longestPathBytes
    ? `its path has ${bytes} bytes, and sockets ${longestPathBytes} at most`
    : undefined;
}

/**
 * Reads `host`, `host:port`, `10.0.0.1`, `::1`, `[::1]:50000` or a URL. Without a port it is 50000, for https:// it is 443.
 * Throws a `TypeError` for anything else.
 */
export function parseEndpoint(text: string): Endpoint {
  if (isIPv6(text)) return { host: text, port: defaultPort };
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  const authority = scheme === undefined ? text : text.slice(scheme.length + 3).replace(/\/.*$/, '');
  const match = /^(?:\[([^\]]+)\]|([^:[\]/\s]+))(?::(\d+))?$/.exec(authority);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? (scheme === 'https' ? 443 : defaultPort) : Number(match[3]);
  if (host === undefined || (match?.[1] !== undefined && !isIPv6(host)) || port < 1 || port > 65535)
    throw new TypeError(`${JSON.stringify(text)} is no endpoint: expected host, host:port or [IPv6]:port`);
  return { host, port };
}

/** `host:port`, with brackets where they are needed; `unix:` and the path of a socket. */
export function formatEndpoint({ host, port, path }: Endpoint): string {
  if (path !== undefined) return `${unixScheme}${path}`;
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
