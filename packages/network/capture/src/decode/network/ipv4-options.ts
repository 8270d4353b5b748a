import type { Reader } from '../reader.ts';

/** An option of an IPv4 header (RFC 791, section 3.1). */
export type Ipv4Option = {
  readonly type: number;
  readonly name: string;
  readonly addresses?: readonly string[];
  readonly value?: string;
};

const names: ReadonlyMap<number, string> = new Map([
  [0, 'EOL'],
  [1, 'NOP'],
  [7, 'RR'],
  [68, 'timestamp'],
  [130, 'security'],
  [131, 'LSRR'],
  [134, 'CIPSO'],
  [137, 'SSRR'],
  [148, 'RA'],
]);
/** Their value is a pointer and a list of addresses. */
const routes: ReadonlySet<number> = new Set([7, 131, 137]);

/** Reads the options of a header, padding included; one shorter than its own two bytes damages the packet. */
export function readIpv4Options(bytes: Reader): readonly Ipv4Option[] {
  const options: Ipv4Option[] = [];
  while (bytes.wireLeft > 0 && bytes.need(1)) {
    const type = bytes.u8();
    const name = names.get(type) ?? `unknown ${type}`;
    if (type <= 1) {
      options.push({ type, name });
      if (type === 0) break;
      continue;
    }
    const size = bytes.u8();
    if (bytes.short) break;
    if (size < 2) {
      bytes.damage(`option ${type} of ${size} bytes`);
      break;
    }
    const value = bytes.slice(size - 2);
    if (routes.has(type)) {
      value.u8();
      const addresses: string[] = [];
      while (value.left >= 4) addresses.push(value.ipv4());
      options.push({ type, name, addresses });
    } else options.push({ type, name, value: value.hex(value.left) });
  }
  return options;
}

/** The name, with addresses or value where there are any. */
export function ipv4OptionText({ name, addresses, value }: Ipv4Option): string {
  if (addresses !== undefined) return `${name} ${addresses.join(' ')}`;
  return value === undefined || value === '' ? name : `${name} ${value}`;
}
