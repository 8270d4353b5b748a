import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexText, safeText } from '../text.ts';

/** IEEE 802.1AB link layer discovery: who is at the other end of the cable. */
export type Lldp = {
  readonly protocol: 'lldp';
  readonly chassis?: string;
  readonly port?: string;
  readonly ttl?: number;
  readonly portDescription?: string;
  readonly systemName?: string;
  readonly systemDescription?: string;
  readonly managementAddresses: readonly string[];
  readonly length: number;
};

const chassisMac = 4;
const portMac = 3;
const maxAddresses = 8;

/** Reads the elements by which a neighbour says who it is (IEEE 802.1AB); nothing follows it. */
export function readLldp(bytes: Reader, packet: Dissection<Lldp>): void {
  const managementAddresses: string[] = [];
  const found: { -readonly [Field in keyof Lldp]?: Lldp[Field] } = {};
  const length = bytes.wireLeft;
  while (bytes.left >= 2) {
    const head = bytes.u16();
    const type = head >> 9;
    if (type === 0) break;
    const value = bytes.slice(head & 0x1ff);
    if (type === 1) found.chassis = identifier(value, chassisMac);
    else if (type === 2) found.port = identifier(value, portMac);
    else if (type === 3) found.ttl = value.u16();
    else if (type === 4) found.portDescription = safeText(value.take(value.left));
    else if (type === 5) found.systemName = safeText(value.take(value.left));
    else if (type === 6) found.systemDescription = safeText(value.take(value.left));
    else if (type === 8 && managementAddresses.length < maxAddresses) {
      const address = managementAddress(value);
      if (address !== undefined) managementAddresses.push(address);
    }
  }
  packet.push({ protocol: 'lldp', ...found, managementAddresses, length });
}

/** A subtype, then an address or a name. */
function identifier(value: Reader, macType: number): string {
  const type = value.u8();
  if (type === macType && value.left === 6) return value.mac();
  return safeText(value.take(value.left));
}

function managementAddress(value: Reader): string | undefined {
  const size = value.u8();
  const family = value.u8();
  if (family === 1 && size === 5) return value.ipv4();
  if (family === 2 && size === 17) return value.ipv6();
  return size > 1 ? hexText(value.take(size - 1)) : undefined;
}

/** `LLDP, length 60: name`; from verbose 1 on also chassis, port and management addresses. */
export function lldpLine(lldp: Lldp, verbose: number): string {
  const parts = [`LLDP, length ${lldp.length}`];
  if (lldp.systemName !== undefined) parts.push(lldp.systemName);
  if (verbose === 0) return parts.join(': ');
  const fields = [`chassis ${lldp.chassis}`, `port ${lldp.port}`, `ttl ${lldp.ttl}`];
  if (lldp.portDescription !== undefined) fields.push(`port description "${lldp.portDescription}"`);
  if (lldp.systemDescription !== undefined) fields.push(`system "${lldp.systemDescription}"`);
  fields.push(...lldp.managementAddresses.map((address) => `management ${address}`));
  return `${parts.join(': ')} (${fields.join(', ')})`;
}
