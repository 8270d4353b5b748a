import type { Reader } from '../reader.ts';
import { hexText, safeText } from '../text.ts';

export type DhcpOption = { readonly code: number; readonly name: string; readonly value: string };

type Shape = 'address' | 'text' | 'u8' | 'u16' | 'u32' | 'message' | 'list' | 'client' | 'hex';

/** IANA's registry of BOOTP and DHCP parameters, as far as it is met on networks. */
const known: ReadonlyMap<number, readonly [name: string, shape: Shape]> = new Map([
  [1, ['Subnet-Mask', 'address']],
  [2, ['Time-Offset', 'u32']],
  [3, ['Router', 'address']],
  [4, ['Time-Server', 'address']],
  [6, ['Domain-Name-Server', 'address']],
  [12, ['Hostname', 'text']],
  [15, ['Domain-Name', 'text']],
  [17, ['Root-Path', 'text']],
  [26, ['MTU', 'u16']],
  [28, ['Broadcast-Address', 'address']],
  [33, ['Static-Route', 'address']],
  [42, ['NTP', 'address']],
  [43, ['Vendor-Option', 'hex']],
  [50, ['Requested-IP', 'address']],
  [51, ['Lease-Time', 'u32']],
  [52, ['Overload', 'u8']],
  [53, ['DHCP-Message', 'message']],
  [54, ['Server-ID', 'address']],
  [55, ['Parameter-Request', 'list']],
  [56, ['MSG', 'text']],
  [57, ['MSZ', 'u16']],
  [58, ['RN', 'u32']],
  [59, ['RB', 'u32']],
  [60, ['Vendor-Class', 'text']],
  [61, ['Client-ID', 'client']],
  [66, ['TFTP', 'text']],
  [67, ['BF', 'text']],
  [77, ['User-Class', 'text']],
  [81, ['FQDN', 'hex']],
  [82, ['Agent-Information', 'hex']],
  [93, ['ARCH', 'u16']],
  [108, ['IPv6-Only', 'u32']],
  [114, ['Captive-Portal', 'text']],
  [119, ['Domain-Search', 'hex']],
  [121, ['Classless-Static-Route', 'hex']],
]);

const messages: readonly string[] = [
  '',
  'Discover',
  'Offer',
  'Request',
  'Decline',
  'ACK',
  'NACK',
  'Release',
  'Inform',
  'Force-Renew',
  'Lease-Query',
];

const maxAddresses = 16;

/** The value of one option, whose bytes are given, as text; hexadecimal where the option is not known. */
export function readDhcpOption(code: number, bytes: Reader): DhcpOption {
  const [name, shape] = known.get(code) ?? [`Option ${code}`, 'hex'];
  return { code, name, value: readValue(shape, bytes) };
}

function readValue(shape: Shape, bytes: Reader): string {
  switch (shape) {
    case 'address': {
      const addresses: string[] = [];
      while (bytes.left >= 4 && addresses.length < maxAddresses) addresses.push(bytes.ipv4());
      return addresses.join(',');
    }
    case 'text':
      return safeText(bytes.take(bytes.left));
    case 'u8':
      return String(bytes.u8());
    case 'u16':
      return String(bytes.u16());
    case 'u32':
      return String(bytes.u32());
    case 'message': {
      const type = bytes.u8();
      return messages[type] ?? `message ${type}`;
    }
    case 'list':
      return [...bytes.take(bytes.left)].join(',');
    case 'client': {
      // RFC 2132, section 9.14: hardware type and address, or anything.
      if (bytes.left !== 7 || bytes.peek() !== 1) return hexText(bytes.take(bytes.left));
      bytes.skip(1);
      return `ether ${bytes.mac()}`;
    }
    case 'hex':
      break;
  }
  return hexText(bytes.take(bytes.left));
}

/** `name value`, as DHCP options are shown one after the other. */
export function dhcpOptionText({ name, value }: DhcpOption): string {
  return `${name} ${value}`;
}
