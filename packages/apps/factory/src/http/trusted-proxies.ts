import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const bits = new Map([
  [4, 32],
  [6, 128],
]);

/** Whether a text is an address, or a network as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', size, ...more] = text.split('/');
  const most = bits.get(isIP(address));
  const isSize = size === undefined || (/^\d{1,3}$/.test(size) && Number(size) <= (most ?? 0));
  return most !== undefined && !address.includes('%') && isSize && more.length === 0;
}

/**
 * Who asks, where proxies stand before a factory. What a header says counts only as far as a trusted proxy has written it: anybody can
 * send one.
 */
export class TrustedProxies {
  readonly #trusted = new BlockList();

  /** @param networks for each of which {@link isNetwork} holds. */
  constructor(networks: readonly string[] = []) {
    for (const network of networks) {
      const [address = '', size] = network.split('/');
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
      this.#trusted.addSubnet(address, Number(size ?? bits.get(isIP(address))), family);
    }
  }

  /** The address of the client: the last one of `X-Forwarded-For` and the connection that is no trusted proxy. */
  clientOf({ socket, headers }: IncomingMessage): string {
    const said = headers['x-forwarded-for'];
    const forwarded = (Array.isArray(said) ? said.join(',') : (said ?? '')).split(',');
    let client = plain(socket.remoteAddress ?? '');
    while (this.#isTrusted(client)) {
      const before = plain(forwarded.pop()?.trim() ?? '');
      if (isIP(before) === 0) break;
      client = before;
    }
    return client;
  }

  #isTrusted(address: string): boolean {
    const [bare = ''] = address.split('%', 1);
    const family = isIP(bare);
    return family !== 0 && this.#trusted.check(bare, family === 4 ? 'ipv4' : 'ipv6');
  }
}

/** A socket for both families says IPv4 addresses as IPv6 has them. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
