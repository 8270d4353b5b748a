import { BlockList, isIP } from 'node:net';

import type { Endpoint } from './endpoint.ts';

/** A server that connections go through. */
export type ProxyServer = {
  readonly scheme: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  /** Who asks, where it wants to know. */
  readonly user?: { readonly name: string; readonly password: string };
};

const ports = { http: 80, https: 443, socks5: 1080 } as const;

/**
 * Reads `http://host:port`, `https://…` or `socks5://…`, with `user:password@` in front of the host where it is needed; `socks5h` is the
 * same, as names are the proxy's to look up either way.
 *
 * @throws {TypeError} for anything else; its message has nothing of the text, which may have a password.
 */
export function parseProxy(text: string): ProxyServer {
  const url = URL.parse(text);
  const scheme = url?.protocol === 'socks5h:' ? 'socks5' : url?.protocol.slice(0, -1);
  const isKnown = scheme === 'http' || scheme === 'https' || scheme === 'socks5';
  const isBare = url !== null && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '';
  if (!isKnown || !isBare || url.hostname === '')
    throw new TypeError('a proxy is http://host:port, https://host:port or socks5://host:port');
  const name = unescaped(url.username);
  return {
    scheme,
    host: url.hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: url.port === '' ? ports[scheme] : Number(url.port),
    ...(name !== '' && { user: { name, password: unescaped(url.password) } }),
  };
}

/** A proxy as it may be shown: its password is not there. */
export function shownProxy(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  if (url.password !== '') url.password = '***';
  return url.href.replace(/\/$/u, '');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError('the user and password of a proxy are escaped as in any URL');
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Through which proxy to connect: what the context says, else what the environment does (`HTTPS_PROXY`, then `ALL_PROXY`, but for what
 * `NO_PROXY` names and for this computer itself); undefined: through none.
 *
 * @param url of the context: `direct` is none whatever the environment says; empty: the environment decides.
 */
export function chooseProxy(
  url: string | undefined,
  endpoint: Endpoint,
  env: Environment,
): string | undefined {
  if (url === 'direct') return undefined;
  if (url !== undefined && url !== '') return url;
  const named = [env['https_proxy'], env['HTTPS_PROXY'], env['all_proxy'], env['ALL_PROXY']];
  const found = named.find((each) => each !== undefined && each !== '');
  if (found === undefined || isOfThisComputer(endpoint.host)) return undefined;
  const excepted = (env['no_proxy'] ?? env['NO_PROXY'] ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase());
  if (excepted.some((each) => each !== '' && matches(each, endpoint))) return undefined;
  return found.includes('://') ? found : `http://${found}`;
}

function isOfThisComputer(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** `*`, an address, a network, a name, or what a name ends with; each may have a port but the network. */
function matches(pattern: string, { host, port }: Endpoint): boolean {
  if (pattern === '*') return true;
  const [, network, bits] = /^([\d.]+|[\da-f:.]+)\/(\d{1,3})$/u.exec(pattern) ?? [];
  if (network !== undefined) return isWithin(host, network, Number(bits));
  const [, bare = pattern, own] = isIP(pattern) === 0 ? (/^(.+):(\d+)$/u.exec(pattern) ?? []) : [];
  if (own !== undefined && Number(own) !== port) return false;
  const name = bare.replace(/^\[(.*)\]$/u, '$1').replace(/^\*?\./u, '');
  const wanted = host.toLowerCase();
  return wanted === name || (isIP(wanted) === 0 && wanted.endsWith(`.${name}`));
}

function isWithin(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
