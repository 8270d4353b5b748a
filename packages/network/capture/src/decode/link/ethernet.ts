import type { Dissection } from '../dissection.ts';
import { etherTypeName } from '../names.ts';
import type { Reader } from '../reader.ts';

/** Ethernet II, or IEEE 802.3 where the two bytes after the addresses are a length. */
export type Ethernet = {
  readonly protocol: 'ethernet';
  readonly destination: string;
  readonly source: string;
  readonly etherType?: number;
  /** Bytes of the LLC frame. */
  readonly length?: number;
};

/** IEEE 802.1Q, or 802.1ad for the outer tag of two. */
export type Vlan = {
  readonly protocol: 'vlan';
  readonly id: number;
  readonly priority: number;
  readonly dropEligible: boolean;
  /** What follows: an EtherType, or a length of at most 1500. */
  readonly etherType: number;
};

const longestLength = 1500;

/** Reads the header of a frame: by EtherType what follows it, else LLC. */
export function readEthernet(bytes: Reader, packet: Dissection<Ethernet | Vlan>): void {
  if (!bytes.need(14)) return;
  const destination = bytes.mac();
  const source = bytes.mac();
  const kind = bytes.u16();
  if (kind > longestLength) {
    packet.push({ protocol: 'ethernet', destination, source, etherType: kind });
    packet.next('etherType', kind, bytes);
  } else {
    packet.push({ protocol: 'ethernet', destination, source, length: kind });
    packet.next('llc', 0, bytes.part(kind));
  }
}

/** Reads a VLAN tag; what follows is found by its EtherType. */
export function readVlan(bytes: Reader, packet: Dissection<Ethernet | Vlan>): void {
  if (!bytes.need(4)) return;
  const tag = bytes.u16();
  const etherType = bytes.u16();
  packet.push({
    protocol: 'vlan',
    id: tag & 0xfff,
    priority: tag >> 13,
    dropEligible: (tag & 0x1000) !== 0,
    etherType,
  });
  if (etherType > longestLength) packet.next('etherType', etherType, bytes);
  else packet.next('llc', 0, bytes.part(etherType));
}

/** `02:00:00:00:00:01 > 02:00:00:00:00:02, ethertype IPv4`. */
export function ethernetLine({ source, destination, etherType, length }: Ethernet): string {
  const kind = etherType === undefined ? `802.3, length ${length}` : `ethertype ${etherTypeName(etherType)}`;
  return `${source} > ${destination}, ${kind}`;
}

/** `vlan 10, p 0`. */
export function vlanLine({ id, priority, dropEligible }: Vlan): string {
  return `vlan ${id}, p ${priority}${dropEligible ? ', DEI' : ''}`;
}
