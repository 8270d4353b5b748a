import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';

import { networkOf, parseCidr } from './cidr.ts';
import type { LanSpec } from './spec.ts';

/** The second names those behind a server of loopback (systemd-resolved), which is this computer's alone. */
const files = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'] as const;

/** The servers of names that this computer asks, as far as a network with these addresses can; none when there is none. */
export async function hostResolvers(spec: Pick<LanSpec, 'cidr'>): Promise<readonly string[]> {
  for (const file of files) {
    const found = resolversIn(await readFile(file, 'utf8').catch(() => ''), spec.cidr);
    if (found.length > 0) return found;
  }
  return [];
}

/** Those of IPv4 in a resolv.conf(5) that are neither on loopback nor in a network. Pure. */
export function resolversIn(text: string, cidr: string): readonly string[] {
  const own = parseCidr(cidr);
  return [...text.matchAll(/^nameserver\s+(\S+)/gm)]
    .map(([, address = '']) => address)
    .filter((address) => isIPv4(address) && !address.startsWith('127.') && address !== '0.0.0.0')
    .filter(
      (address) => own === undefined || networkOf(address, own.length) !== networkOf(own.address, own.length),
    );
}
