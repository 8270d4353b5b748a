import { writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';

import { parseAddress } from '@nodecore/sys';

import { ulaPrefix } from './ipv6.ts';
import type { Namespace } from './namespace.ts';
import { addressesIn, type LanHost, type LanSpec } from './spec.ts';

/**
 * What `nft -f` reads, so that nobody in a network is taken for another: a frame that has the address of another host, or of the gateway,
 * goes no further than its tap, nor does what only the gateway says, by DHCP or as a router. Addresses that are nobody's here pass, as a
 * shared one of the control plane, or those of pods. Pure.
 */
export function guardRules(spec: LanSpec): string {
  const chains = spec.hosts.map((host) => {
    const others = spec.hosts.filter((other) => other !== host);
    const addresses = [...gatewaysOf(spec), ...others.flatMap((other) => addressesOf(spec, other))];
    const v4 = addresses.filter((address) => isIPv4(address));
    const v6 = addresses.filter((address) => !isIPv4(address));
    const macs = others.map(({ mac }) => mac);
    return [
      `  chain ${host.tap.replaceAll('-', '_')} {`,
      // Before chaos, which takes frames elsewhere.
      `    type filter hook ingress device "${host.tap}" priority -10; policy accept;`,
      ...dropped('ether saddr', macs),
      ...dropped('arp saddr ip', v4),
      ...dropped('ip saddr', v4),
      ...dropped('ip6 saddr', v6),
      ...v6.map((address) => `    icmpv6 type nd-neighbor-advert ${targetOf(address)} counter drop`),
      ...dropped('udp sport', ['67', '547']),
      ...dropped('icmpv6 type', ['nd-router-advert', 'nd-redirect']),
      '  }',
    ];
  });
  return [
    'table netdev guard',
    'delete table netdev guard',
    'table netdev guard {',
    ...chains.flat(),
    '}',
    '',
  ].join('\n');
}

/**
 * Has nobody in a network take the address of another. What was there before is replaced.
 *
 * @param directory for what nft reads
 * @throws {LanError} `ERR_LAN_COMMAND` without nft, or where the kernel has no such rules.
 */
export async function guardHosts(namespace: Namespace, spec: LanSpec, directory: string): Promise<void> {
  const file = join(directory, 'guard.nft');
  await writeFile(file, guardRules(spec), { mode: 0o600 });
  await namespace.run(['nft', '-f', file]);
}

/** Of an advertisement, behind its type, code, checksum and flags: nft of Debian 12 has no word for it. */
function targetOf(address: string): string {
  const value = parseAddress(address)?.value ?? 0n;
  return `@th,64,128 0x${value.toString(16).padStart(32, '0')}`;
}

function dropped(what: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [] : [`    ${what} { ${values.join(', ')} } counter drop`];
}

function addressesOf(spec: LanSpec, host: LanHost): readonly string[] {
  return addressesIn(spec, host).map(([, address]) => address);
}

/** Also those by which routers and servers of IPv6 are known, which are there without a network of it. */
function gatewaysOf(spec: LanSpec): readonly string[] {
  const own = [spec.gateway, ...(spec.ipv6 === undefined ? [] : [spec.ipv6.gateway])];
  return own.some((address) => !isIPv4(address))
    ? [...own, 'fe80::1']
    : [...own, `${ulaPrefix(spec.cidr)}::1`, 'fe80::1'];
}
