import type { Reader } from '../reader.ts';

/** What a listener says about one group (RFC 3810, section 5.2; RFC 3376 for IPv4). */
export type ListenerRecord = {
  readonly type: number;
  readonly group: string;
  readonly sources: number;
};

const maxRecords = 64;

/** The records of a version 2 report, behind its checksum. */
export function readListenerReport(bytes: Reader): readonly ListenerRecord[] {
  bytes.skip(2);
  const count = bytes.u16();
  const records: ListenerRecord[] = [];
  for (let index = 0; index < count && records.length < maxRecords && bytes.need(20); index += 1) {
    const type = bytes.u8();
    const auxiliary = bytes.u8() * 4;
    const sources = bytes.u16();
    records.push({ type, group: bytes.ipv6(), sources });
    bytes.slice(sources * 16 + auxiliary);
  }
  return records;
}

const types: readonly string[] = ['', 'is_in', 'is_ex', 'to_in', 'to_ex', 'allow', 'block'];

/** `[gaddr ff02::fb to_ex, 0 source(s)]` */
export function listenerText({ type, group, sources }: ListenerRecord): string {
  return `[gaddr ${group} ${types[type] ?? `type ${type}`}, ${sources} source(s)]`;
}
