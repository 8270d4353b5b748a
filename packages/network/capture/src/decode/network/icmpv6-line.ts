import type { Layer } from '../layer.ts';
import { hexNumber } from '../text.ts';
import { quotedEnd } from './icmp-line.ts';
import type { Icmpv6 } from './icmpv6.ts';
import { listenerText } from './mld.ts';
import { neighbourOptionText } from './neighbour-options.ts';

const unreachable: readonly string[] = [
  'no route',
  'administratively prohibited',
  'beyond scope',
  'address unreachable',
  'port unreachable',
  'failed policy',
  'reject route',
];
const names: ReadonlyMap<number, string> = new Map([
  [128, 'echo request'],
  [129, 'echo reply'],
  [130, 'multicast listener query'],
  [131, 'multicast listener report'],
  [132, 'multicast listener done'],
  [133, 'router solicitation'],
  [134, 'router advertisement'],
  [135, 'neighbor solicitation'],
  [136, 'neighbor advertisement'],
  [137, 'redirect'],
  [143, 'multicast listener report v2'],
]);

/** `ICMP6, echo request, id 1, seq 1, length 64`; of an error also where the quoted packet went. */
export function icmpv6Line(icmp: Icmpv6<Layer>, verbose: number): string {
  const bad = icmp.checksumStatus === 'bad' ? `, wrong icmp6 cksum ${hexNumber(icmp.checksum, 4)}` : '';
  const good = verbose > 0 && icmp.checksumStatus === 'correct' ? ', icmp6 sum ok' : '';
  const options =
    verbose === 0 ? [] : (icmp.options ?? []).map((option) => `, ${neighbourOptionText(option)}`);
  return `ICMP6, ${message(icmp)}${good}${bad}, length ${icmp.length}${options.join('')}`;
}

function message(icmp: Icmpv6<Layer>): string {
  const { type, code } = icmp;
  const about = quotedEnd(icmp.quoted ?? []).trimEnd();
  if (type === 1) return `destination unreachable, ${unreachable[code] ?? `code ${code}`} ${about}`.trimEnd();
  if (type === 2) return `packet too big, mtu ${icmp.mtu}`;
  if (type === 3) return `time exceeded ${code === 0 ? 'in-transit' : '(reassembly)'} ${about}`.trimEnd();
  if (type === 4) return `parameter problem, code ${code}, octet ${icmp.pointer}`;
  const name = names.get(type) ?? `type ${type}, code ${code}`;
  if (icmp.identifier !== undefined) return `${name}, id ${icmp.identifier}, seq ${icmp.sequence}`;
  if (type === 135) return `${name}, who has ${icmp.target}`;
  if (type === 136) return `${name}, tgt is ${icmp.target}${flagText(icmp)}`;
  if (type === 137) return `${name}, ${icmp.destination} to ${icmp.target}`;
  if (type === 134)
    return `${name}, hop limit ${icmp.hopLimit}, router lifetime ${icmp.routerLifetime}s${flagText(icmp)}`;
  if (icmp.group !== undefined) return `${name}, max resp delay: ${icmp.maxDelay}, addr: ${icmp.group}`;
  if (icmp.records === undefined) return name;
  return `${name}, ${icmp.records.length} group record(s) ${icmp.records.map(listenerText).join(' ')}`;
}

function flagText({ flags = [] }: Icmpv6<Layer>): string {
  return flags.length === 0 ? '' : `, Flags [${flags.join(', ')}]`;
}
