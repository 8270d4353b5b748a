import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { safeText } from '../text.ts';
import { type DhcpOption, dhcpOptionText, readDhcpOption } from './dhcp-options.ts';

/** Dynamic host configuration for IPv4 (RFC 2131), and BOOTP below it (RFC 951). */
export type Dhcp = {
  readonly protocol: 'dhcp';
  readonly operation: 'request' | 'reply' | number;
  readonly transactionId: string;
  readonly hops: number;
  /** Since the client began. */
  readonly seconds: number;
  readonly broadcast: boolean;
  readonly clientAddress: string;
  readonly yourAddress: string;
  readonly serverAddress: string;
  readonly relayAddress: string;
  readonly clientHardware: string;
  readonly serverName?: string;
  readonly file?: string;
  /** `Discover`, `Offer`, … */
  readonly messageType?: string;
  readonly options: readonly DhcpOption[];
  readonly length: number;
};

const cookie = '63825363';
const longestHardware = 16;
const maxOptions = 128;

/** Reads a message of BOOTP or DHCP; nothing follows it. */
export function readDhcp(bytes: Reader, packet: Dissection<Dhcp>): void {
  const length = bytes.wireLeft;
  if (!bytes.need(236)) return;
  const operation = bytes.u8();
  bytes.skip(1);
  const hardwareBytes = bytes.u8();
  const hops = bytes.u8();
  const transactionId = `0x${bytes.hex(4)}`;
  const seconds = bytes.u16();
  const broadcast = (bytes.u16() & 0x8000) !== 0;
  const addresses = {
    clientAddress: bytes.ipv4(),
    yourAddress: bytes.ipv4(),
    serverAddress: bytes.ipv4(),
    relayAddress: bytes.ipv4(),
  };
  const hardware = bytes.slice(longestHardware);
  const clientHardware =
    hardwareBytes === 6 ? hardware.mac() : hardware.hex(Math.min(hardwareBytes, longestHardware));
  const serverName = terminated(bytes.take(64));
  const file = terminated(bytes.take(128));
  const options = bytes.wireLeft >= 4 && bytes.hex(4) === cookie ? readOptions(bytes) : [];
  const messageType = options.find(({ code }) => code === 53)?.value;
  packet.push({
    protocol: 'dhcp',
    operation: operation === 1 ? 'request' : operation === 2 ? 'reply' : operation,
    transactionId,
    hops,
    seconds,
    broadcast,
    ...addresses,
    clientHardware,
    ...(serverName === '' ? {} : { serverName }),
    ...(file === '' ? {} : { file }),
    ...(messageType === undefined ? {} : { messageType }),
    options,
    length,
  });
}

function terminated(field: Uint8Array): string {
  const end = field.indexOf(0);
  return safeText(end < 0 ? field : field.subarray(0, end));
}

function readOptions(bytes: Reader): readonly DhcpOption[] {
  const options: DhcpOption[] = [];
  while (bytes.wireLeft > 0 && options.length < maxOptions && bytes.need(1)) {
    const code = bytes.u8();
    if (code === 0) continue;
    if (code === 255) break;
    const value = bytes.slice(bytes.u8());
    if (bytes.short) break;
    options.push(readDhcpOption(code, value));
  }
  return options;
}

/** `BOOTP/DHCP, Request from 02:00:00:00:00:01, length 300, xid …`; from verbose 1 on also its options. */
export function dhcpLine(dhcp: Dhcp, verbose: number): string {
  const kind =
    dhcp.operation === 'request' ? 'Request' : dhcp.operation === 'reply' ? 'Reply' : `op ${dhcp.operation}`;
  const from = dhcp.operation === 'reply' ? '' : ` from ${dhcp.clientHardware}`;
  const parts = [`BOOTP/DHCP, ${kind}${from}, length ${dhcp.length}, xid ${dhcp.transactionId}`];
  if (dhcp.messageType !== undefined) parts.push(dhcp.messageType);
  const named = [
    ['ciaddr', dhcp.clientAddress],
    ['yiaddr', dhcp.yourAddress],
    ['siaddr', dhcp.serverAddress],
    ['giaddr', dhcp.relayAddress],
  ] as const;
  for (const [name, address] of named) if (address !== '0.0.0.0') parts.push(`${name} ${address}`);
  if (dhcp.serverName !== undefined) parts.push(`sname "${dhcp.serverName}"`);
  if (dhcp.file !== undefined) parts.push(`file "${dhcp.file}"`);
  if (verbose > 0) parts.push(...dhcp.options.filter(({ code }) => code !== 53).map(dhcpOptionText));
  return parts.join(', ');
}
