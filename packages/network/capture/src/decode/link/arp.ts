import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** Address resolution (RFC 826), and its reverse (RFC 903). */
export type Arp = {
  readonly protocol: 'arp';
  readonly hardwareType: number;
  readonly protocolType: number;
  readonly operation: number;
  readonly senderHardware: string;
  readonly senderProtocol: string;
  readonly targetHardware: string;
  readonly targetProtocol: string;
  readonly length: number;
};

/** Names of the operations, by their numbers. */
export const operations: readonly string[] = [
  'operation 0',
  'Request',
  'Reply',
  'Reverse Request',
  'Reverse Reply',
];

/** Reads a message of ARP or RARP; nothing follows it. */
export function readArp(bytes: Reader, packet: Dissection<Arp>): void {
  const length = bytes.wireLeft;
  if (!bytes.need(8)) return;
  const hardwareType = bytes.u16();
  const protocolType = bytes.u16();
  const hardwareBytes = bytes.u8();
  const protocolBytes = bytes.u8();
  const operation = bytes.u16();
  if (!bytes.need(2 * (hardwareBytes + protocolBytes))) return;
  const hardware = (): string => (hardwareBytes === 6 ? bytes.mac() : bytes.hex(hardwareBytes));
  const address = (): string => (protocolBytes === 4 ? bytes.ipv4() : bytes.hex(protocolBytes));
  packet.push({
    protocol: 'arp',
    hardwareType,
    protocolType,
    operation,
    senderHardware: hardware(),
    senderProtocol: address(),
    targetHardware: hardware(),
    targetProtocol: address(),
    length,
  });
}

/** `ARP, Request who-has 10.0.0.2 tell 10.0.0.1, length 28`. */
export function arpLine(arp: Arp, verbose: number): string {
  const { operation, senderHardware, senderProtocol, targetHardware, targetProtocol } = arp;
  const details =
    verbose === 0 ? '' : ` (hardware ${arp.hardwareType}, protocol ${hexNumber(arp.protocolType, 4)})`;
  const name = operations[operation] ?? `operation ${operation}`;
  const what = (): string => {
    if (operation === 1 && senderProtocol === targetProtocol) return `Announcement ${senderProtocol}`;
    if (operation === 1) return `${name} who-has ${targetProtocol} tell ${senderProtocol}`;
    if (operation === 2) return `${name} ${senderProtocol} is-at ${senderHardware}`;
    if (operation === 3) return `${name} who-is ${targetHardware} tell ${senderHardware}`;
    if (operation === 4) return `${name} ${targetHardware} at ${targetProtocol}`;
    return name;
  };
  return `ARP${details}, ${what()}, length ${arp.length}`;
}
