import type { Layer } from '../layer.ts';
import { hexNumber } from '../text.ts';
import type { Icmp } from './icmp.ts';

const unreachable: readonly string[] = [
  'net unreachable',
  'host unreachable',
  'protocol unreachable',
  'port unreachable',
  'need to frag',
  'source route failed',
  'net unknown',
  'host unknown',
  'source isolated',
  'net prohibited',
  'host prohibited',
  'net unreachable for tos',
  'host unreachable for tos',
  'admin prohibited filter',
  'host precedence violation',
  'precedence cutoff',
];
const names: ReadonlyMap<number, string> = new Map([
  [0, 'echo reply'],
  [4, 'source quench'],
  [8, 'echo request'],
  [9, 'router advertisement'],
  [10, 'router solicitation'],
  [13, 'time stamp query'],
  [14, 'time stamp reply'],
  [17, 'address mask request'],
  [18, 'address mask reply'],
  [42, 'extended echo request'],
  [43, 'extended echo reply'],
]);
const redirects = ['net', 'host', 'tos-net', 'tos-host'];

/** `ICMP echo request, id 1, seq 1, length 64`; of an error also where the quoted packet went. */
export function icmpLine(icmp: Icmp<Layer>, verbose: number): string {
  const bad = icmp.checksumStatus === 'bad' ? `, wrong icmp cksum ${hexNumber(icmp.checksum, 4)}` : '';
  const good = verbose > 0 && icmp.checksumStatus === 'correct' ? ', cksum ok' : '';
  return `ICMP ${message(icmp)}${good}${bad}, length ${icmp.length}`;
}

function message(icmp: Icmp<Layer>): string {
  const { type, code } = icmp;
  const about = quotedEnd(icmp.quoted ?? []);
  if (type === 3) {
    const mtu = icmp.mtu === undefined ? '' : ` (mtu ${icmp.mtu})`;
    return `${about}${unreachable[code] ?? `unreachable, code ${code}`}${mtu}`;
  }
  if (type === 5) return `redirect ${about}to ${redirects[code] ?? `code ${code}`} ${icmp.gateway}`;
  if (type === 11) return `${about}${code === 0 ? 'time exceeded in-transit' : 'reassembly time exceeded'}`;
  if (type === 12) return `${about}parameter problem, octet ${icmp.pointer}`;
  const name = names.get(type) ?? `type ${type}, code ${code}`;
  return icmp.identifier === undefined ? name : `${name}, id ${icmp.identifier}, seq ${icmp.sequence}`;
}

/** Where the quoted packet went: `10.0.0.2 udp port 53 `, or nothing. */
export function quotedEnd(quoted: readonly Layer[]): string {
  let end = '';
  for (const layer of quoted) {
    if (layer.protocol === 'ipv4' || layer.protocol === 'ipv6') end = `${layer.destination} `;
    else if (layer.protocol === 'tcp' || layer.protocol === 'udp' || layer.protocol === 'sctp')
      end += `${layer.protocol} port ${layer.destinationPort} `;
  }
  return end;
}
