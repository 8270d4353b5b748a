import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { type ListenerRecord, listenerText } from './mld.ts';

/** Group management of IPv4, versions 1 to 3 (RFC 1112, 2236, 3376). */
export type Igmp = {
  readonly protocol: 'igmp';
  readonly version: 1 | 2 | 3;
  readonly type: number;
  /** Tenths of a second. */
  readonly maxResponse: number;
  readonly group?: string;
  readonly records?: readonly ListenerRecord[];
  readonly length: number;
};

const query = 0x11;
const reportV1 = 0x12;
const reportV3 = 0x22;
const maxRecords = 64;

/** Reads a query, report or leave of any version; nothing follows it. */
export function readIgmp(bytes: Reader, packet: Dissection<Igmp>): void {
  const length = bytes.wireLeft;
  if (!bytes.need(8)) return;
  const type = bytes.u8();
  const maxResponse = bytes.u8();
  bytes.skip(2);
  if (type === reportV3) {
    bytes.skip(2);
    const records = readRecords(bytes, bytes.u16());
    packet.push({ protocol: 'igmp', version: 3, type, maxResponse, records, length });
    return;
  }
  // RFC 3376, section 7.1: queries are told apart by length and response time.
  const old = type === reportV1 || (type === query && maxResponse === 0);
  const version = type === query && length >= 12 ? 3 : old ? 1 : 2;
  packet.push({ protocol: 'igmp', version, type, maxResponse, group: bytes.ipv4(), length });
}

function readRecords(bytes: Reader, count: number): readonly ListenerRecord[] {
  const records: ListenerRecord[] = [];
  for (let index = 0; index < count && records.length < maxRecords && bytes.need(8); index += 1) {
    const type = bytes.u8();
    const auxiliary = bytes.u8() * 4;
    const sources = bytes.u16();
    records.push({ type, group: bytes.ipv4(), sources });
    bytes.slice(sources * 4 + auxiliary);
  }
  return records;
}

const names: ReadonlyMap<number, string> = new Map([
  [query, 'query'],
  [reportV1, 'report'],
  [0x16, 'report'],
  [0x17, 'leave'],
  [reportV3, 'report'],
]);

/** `igmp query v2 224.0.0.1`, or the records of a report of version 3. */
export function igmpLine({ version, type, group, records }: Igmp): string {
  const head = `igmp ${names.get(type) ?? `type ${type}`} v${version}`;
  if (records !== undefined)
    return `${head}, ${records.length} group record(s) ${records.map(listenerText).join(' ')}`;
  return group === '0.0.0.0' ? head : `${head} ${group}`;
}
