import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { readDnsName } from './dns-name.ts';
import { type DnsRecord, readDnsRecord } from './dns-record.ts';
import { dnsClassName, dnsTypeName } from './dns-types.ts';

export type DnsQuestion = {
  readonly name: string;
  readonly type: string;
  readonly class: string;
  /** The answer is wanted to this address alone (mDNS). */
  readonly unicast?: true;
};

/** The domain name system (RFC 1035), multicast too (RFC 6762). */
export type Dns = {
  readonly protocol: 'dns' | 'mdns';
  readonly id: number;
  readonly response: boolean;
  readonly opcode: number;
  /** With the upper bits of EDNS. */
  readonly responseCode: number;
  readonly authoritative: boolean;
  readonly truncatedAnswer: boolean;
  readonly recursionDesired: boolean;
  readonly recursionAvailable: boolean;
  readonly authenticData: boolean;
  readonly checkingDisabled: boolean;
  /** Records per section as the header says: questions, answers, authority, additional. */
  readonly counts: readonly [number, number, number, number];
  readonly questions: readonly DnsQuestion[];
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
  readonly additionals: readonly DnsRecord[];
  /** Bytes of the message. */
  readonly length: number;
};

/** Records of one message that are shown, and their characters: compression lets names grow far beyond the packet. */
const maxRecords = 128;
const maxText = 32_768;
type Budget = { records: number; text: number };

/** Reads one message of DNS. */
export function readDns(bytes: Reader, packet: Dissection<Dns>): void {
  readMessage('dns', bytes, packet);
}

/** Reads one message of multicast DNS, which has the form of DNS. */
export function readMdns(bytes: Reader, packet: Dissection<Dns>): void {
  readMessage('mdns', bytes, packet);
}

/** RFC 1035, section 4.2.2: over TCP each message has its length before it. */
export function readDnsOverTcp(bytes: Reader, packet: Dissection<Dns>): void {
  for (let messages = 0; bytes.wireLeft > 0 && messages < 8; messages += 1) {
    if (!bytes.need(2)) return;
    const message = bytes.slice(bytes.u16());
    if (message.wireLeft === 0) return;
    readMessage('dns', message, packet);
  }
}

function readMessage(protocol: Dns['protocol'], bytes: Reader, packet: Dissection<Dns>): void {
  const { at: start, wireLeft: length } = bytes;
  if (!bytes.need(12)) return;
  const id = bytes.u16();
  const flags = bytes.u16();
  const counts: [number, number, number, number] = [bytes.u16(), bytes.u16(), bytes.u16(), bytes.u16()];
  const budget: Budget = { records: maxRecords, text: maxText };
  const questions = readQuestions(bytes, start, counts[0], protocol, budget);
  const section = (count: number): DnsRecord[] => {
    const records: DnsRecord[] = [];
    for (let index = 0; index < count && remains(budget) && !bytes.short; index += 1) {
      const record = readDnsRecord(bytes, start, protocol === 'mdns');
      if (record === undefined) break;
      spend(budget, record.name.length + record.data.length);
      records.push(record);
    }
    return records;
  };
  const answers = section(counts[1]);
  const authorities = section(counts[2]);
  const additionals = section(counts[3]);
  const extended = additionals.find(({ type }) => type === 'OPT')?.extendedCode ?? 0;
  packet.push({
    protocol,
    id,
    response: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 15,
    responseCode: (flags & 15) | (extended << 4),
    authoritative: (flags & 0x400) !== 0,
    truncatedAnswer: (flags & 0x200) !== 0,
    recursionDesired: (flags & 0x100) !== 0,
    recursionAvailable: (flags & 0x80) !== 0,
    authenticData: (flags & 0x20) !== 0,
    checkingDisabled: (flags & 0x10) !== 0,
    counts,
    questions,
    answers,
    authorities,
    additionals,
    length,
  });
}

function readQuestions(
  bytes: Reader,
  start: number,
  count: number,
  protocol: Dns['protocol'],
  budget: Budget,
): DnsQuestion[] {
  const questions: DnsQuestion[] = [];
  for (let index = 0; index < count && remains(budget) && !bytes.short; index += 1) {
    const name = readDnsName(bytes, start);
    if (name === undefined || !bytes.need(4)) break;
    const type = dnsTypeName(bytes.u16());
    const number = bytes.u16();
    // RFC 6762, section 5.4: the upper bit of the class asks for a unicast answer.
    const unicast = protocol === 'mdns' && (number & 0x8000) !== 0;
    const className = dnsClassName(unicast ? number & 0x7fff : number);
    questions.push({ name, type, class: className, ...(unicast ? { unicast } : {}) });
    spend(budget, name.length);
  }
  return questions;
}

function remains(budget: Budget): boolean {
  return budget.records > 0 && budget.text > 0;
}

function spend(budget: Budget, text: number): void {
  budget.records -= 1;
  budget.text -= text;
}
