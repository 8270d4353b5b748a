import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexText } from '../text.ts';
import { readDnsName } from './dns-name.ts';

export type Dhcpv6Option = { readonly code: number; readonly name: string; readonly value: string };

/** Dynamic host configuration for IPv6 (RFC 8415). */
export type Dhcpv6 = {
  readonly protocol: 'dhcpv6';
  readonly type: number;
  readonly name: string;
  /** Six hex digits; relays have none. */
  readonly transactionId?: string;
  readonly hopCount?: number;
  readonly linkAddress?: string;
  readonly peerAddress?: string;
  readonly options: readonly Dhcpv6Option[];
  readonly length: number;
};

const names: readonly string[] = [
  '',
  'solicit',
  'advertise',
  'request',
  'confirm',
  'renew',
  'rebind',
  'reply',
  'release',
  'decline',
  'reconfigure',
  'inf-req',
  'relay-fwd',
  'relay-reply',
];
const relayForward = 12;
const relayReply = 13;

const optionNames: ReadonlyMap<number, string> = new Map([
  [1, 'client-ID'],
  [2, 'server-ID'],
  [3, 'IA_NA'],
  [4, 'IA_TA'],
  [5, 'IA_ADDR'],
  [6, 'option-request'],
  [7, 'preference'],
  [8, 'elapsed-time'],
  [9, 'relay-message'],
  [13, 'status-code'],
  [14, 'rapid-commit'],
  [16, 'vendor-class'],
  [17, 'vendor-opts'],
  [18, 'interface-ID'],
  [23, 'DNS-server'],
  [24, 'DNS-search-list'],
  [25, 'IA_PD'],
  [26, 'IA_PD-prefix'],
  [31, 'SNTP-servers'],
  [39, 'client-FQDN'],
  [56, 'NTP-server'],
  [59, 'bootfile-url'],
  [61, 'client-arch-type'],
]);
const maxOptions = 64;
const maxValues = 8;

/** Reads a message of DHCPv6, also one that a relay passes on; nothing follows it. */
export function readDhcpv6(bytes: Reader, packet: Dissection<Dhcpv6>): void {
  const length = bytes.wireLeft;
  if (!bytes.need(4)) return;
  const type = bytes.u8();
  const name = names[type] ?? `type ${type}`;
  if (type === relayForward || type === relayReply) {
    if (!bytes.need(33)) return;
    const hopCount = bytes.u8();
    const linkAddress = bytes.ipv6();
    const peerAddress = bytes.ipv6();
    const options = readOptions(bytes);
    packet.push({ protocol: 'dhcpv6', type, name, hopCount, linkAddress, peerAddress, options, length });
    return;
  }
  const transactionId = bytes.hex(3);
  packet.push({ protocol: 'dhcpv6', type, name, transactionId, options: readOptions(bytes), length });
}

function readOptions(bytes: Reader): readonly Dhcpv6Option[] {
  const options: Dhcpv6Option[] = [];
  while (bytes.wireLeft > 0 && options.length < maxOptions && bytes.need(4)) {
    const code = bytes.u16();
    const value = bytes.slice(bytes.u16());
    options.push({ code, name: optionNames.get(code) ?? `option-${code}`, value: readValue(code, value) });
  }
  return options;
}

function readValue(code: number, value: Reader): string {
  const list = (read: () => string, size: number): string => {
    const values: string[] = [];
    while (value.left >= size && values.length < maxValues) values.push(read());
    return values.join(' ');
  };
  switch (code) {
    case 3:
    case 25: {
      if (value.wireLeft < 12) break;
      const numbers = `IAID:${value.u32()} T1:${value.u32()} T2:${value.u32()}`;
      return [numbers, ...readAssociations(value)].join(' ');
    }
    case 6:
      return list(() => String(value.u16()), 2);
    case 7:
      return String(value.u8());
    case 8:
      return `${value.u16() * 10} ms`;
    case 23:
    case 31:
      return list(() => value.ipv6(), 16);
    case 24:
      return list(() => readDnsName(value, value.at) ?? '', 1);
  }
  return hexText(value.take(value.left));
}

/** Addresses and prefixes in an identity association. */
function readAssociations(value: Reader): string[] {
  const found: string[] = [];
  while (value.left >= 4 && found.length < maxValues) {
    const code = value.u16();
    const inner = value.slice(value.u16());
    if (code === 5) found.push(inner.ipv6());
    else if (code === 26) {
      inner.skip(8);
      const bits = inner.u8();
      found.push(`${inner.ipv6()}/${bits}`);
    }
  }
  return found;
}

/** `dhcp6 solicit (xid=a1b2c3 (option))`; from verbose 1 on with the values of the options. */
export function dhcpv6Line(dhcp: Dhcpv6, verbose: number): string {
  const { name, transactionId, hopCount, linkAddress, peerAddress, options } = dhcp;
  const relay = `linkaddr=${linkAddress} peeraddr=${peerAddress} hops=${hopCount}`;
  const head = `dhcp6 ${name} (${transactionId === undefined ? relay : `xid=${transactionId}`}`;
  const shown = options.map((option) => ` (${option.name}${verbose === 0 ? '' : ` ${option.value}`})`);
  return `${head}${shown.join('')})`;
}
