import type { Reader } from '../reader.ts';
import { hexText, safeText } from '../text.ts';
import { readDnsName } from './dns-name.ts';
import { readServiceParameters } from './dns-service.ts';
import { dnsClassName, dnsTypeName } from './dns-types.ts';

export type DnsRecord = {
  readonly name: string;
  readonly type: string;
  readonly class: string;
  /** Seconds; of OPT records their flags. */
  readonly ttl: number;
  /** As in a zone file, as far as the type is known; else hex digits. */
  readonly data: string;
  /** Every other record of this name and type is to be forgotten (mDNS). */
  readonly cacheFlush?: true;
  /** Of OPT records: the upper bits of the response code, and the largest answer. */
  readonly extendedCode?: number;
  readonly udpSize?: number;
};

/** Undefined when the message ends before the data begins. */
export function readDnsRecord(bytes: Reader, start: number, multicast: boolean): DnsRecord | undefined {
  const name = readDnsName(bytes, start);
  if (name === undefined || !bytes.need(10)) return undefined;
  const number = bytes.u16();
  const type = dnsTypeName(number);
  const classNumber = bytes.u16();
  const ttl = bytes.u32();
  const data = bytes.slice(bytes.u16());
  if (type === 'OPT') {
    const options = readOptions(data);
    return { name, type, class: '', ttl, data: options, extendedCode: ttl >>> 24, udpSize: classNumber };
  }
  const flush = multicast && (classNumber & 0x8000) !== 0;
  const className = dnsClassName(flush ? classNumber & 0x7fff : classNumber);
  const text = readData(type, data, start);
  return { name, type, class: className, ttl, data: text, ...(flush ? { cacheFlush: true } : {}) };
}

function readData(type: string, data: Reader, start: number): string {
  const name = (): string => readDnsName(data, start) ?? '';
  switch (type) {
    case 'A':
      return data.ipv4();
    case 'AAAA':
      return data.ipv6();
    case 'CNAME':
    case 'NS':
    case 'PTR':
    case 'DNAME':
      return name();
    case 'MX':
      return `${data.u16()} ${name()}`;
    case 'SRV':
      return `${data.u16()} ${data.u16()} ${data.u16()} ${name()}`;
    case 'SOA': {
      const names = `${name()} ${name()}`;
      return data.short ? names : `${names} ${Array.from({ length: 5 }, () => data.u32()).join(' ')}`;
    }
    case 'TXT':
    case 'SPF':
    case 'HINFO':
      return readStrings(data);
    case 'NAPTR':
      return `${data.u16()} ${data.u16()} ${readString(data)} ${readString(data)} ${readString(data)} ${name()}`;
    case 'CAA': {
      const flags = data.u8();
      const tag = safeText(data.take(data.u8()));
      return `${flags} ${tag} ${quoted(data.take(data.left))}`;
    }
    case 'DS':
    case 'CDS':
      return `${data.u16()} ${data.u8()} ${data.u8()} ${rest(data)}`;
    case 'DNSKEY':
    case 'CDNSKEY':
      return `${data.u16()} ${data.u8()} ${data.u8()} ${rest(data)}`;
    case 'RRSIG': {
      const covered = dnsTypeName(data.u16());
      const numbers = `${data.u8()} ${data.u8()} ${data.u32()} ${data.u32()} ${data.u32()} ${data.u16()}`;
      return `${covered} ${numbers} ${name()} ${rest(data)}`;
    }
    case 'NSEC':
      return `${name()} ${typeBitmap(data)}`.trimEnd();
    case 'SSHFP':
      return `${data.u8()} ${data.u8()} ${rest(data)}`;
    case 'TLSA':
      return `${data.u8()} ${data.u8()} ${data.u8()} ${rest(data)}`;
    case 'SVCB':
    case 'HTTPS':
      return `${data.u16()} ${name()}${readServiceParameters(data)}`;
    default:
      return rest(data);
  }
}

const rest = (data: Reader): string => hexText(data.take(data.left));
const quoted = (bytes: Uint8Array): string => `"${safeText(bytes).replaceAll('"', '\\"')}"`;
const readString = (data: Reader): string => quoted(data.take(data.u8()));

const maxStrings = 16;

function readStrings(data: Reader): string {
  const strings: string[] = [];
  while (data.left > 0 && strings.length < maxStrings) strings.push(readString(data));
  return strings.join(' ') + (data.left > 0 ? ' …' : '');
}

/** RFC 4034, section 4.1.2: windows of 256 types. */
function typeBitmap(data: Reader): string {
  const types: string[] = [];
  while (data.left >= 2 && types.length < 64) {
    const window = data.u8();
    const bits = data.take(data.u8());
    for (const [index, byte] of bits.entries())
      for (let bit = 0; bit < 8; bit += 1)
        if ((byte & (0x80 >> bit)) !== 0) types.push(dnsTypeName(window * 256 + index * 8 + bit));
  }
  return types.join(' ');
}

/** EDNS options (RFC 6891) by number and length. */
function readOptions(data: Reader): string {
  const options: string[] = [];
  while (data.left >= 4 && options.length < maxStrings) {
    const code = data.u16();
    const value = data.take(data.u16());
    if (!data.short) options.push(`${code}:${hexText(value)}`);
  }
  return options.join(' ');
}
