import { DnsError } from './errors.ts';

/** RFC 1035, 4.1.1 */
const headerBytes = 12;
const longestName = 255;
const typeSoa = 6;
const typeOpt = 41;

/** Bits of the second word of a header. */
export const flags = {
  response: 0x8000,
  /** Opcode, wish for recursion, and wish for no checks: an answer repeats them. */
  copied: 0x7910,
  truncated: 0x0200,
  recursionAvailable: 0x0080,
  checkingDisabled: 0x0010,
  code: 0x000f,
} as const;

/** Codes of answers, RFC 1035 4.1.1. */
export const codes = {
  none: 0,
  format: 1,
  serverFailure: 2,
  nameError: 3,
  notImplemented: 4,
  refused: 5,
} as const;

/** What a message asks; how it is written is kept in the bytes. */
export type Question = {
  /** In lower case, as on the wire: lengths and labels. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** Where the question ends. */
  readonly end: number;
};

/** A record's place in a message. */
type RecordPlace = {
  readonly section: 'answer' | 'authority' | 'additional';
  readonly type: number;
  /** Of the class field, which is a size in OPT. */
  readonly class: number;
  readonly ttlAt: number;
  readonly ttl: number;
  readonly data: number;
  readonly length: number;
};

/** What has to be known of a message to forward and to keep it. Its bytes are never changed by reading. */
export class Message {
  readonly bytes: Buffer;
  readonly question: Question;
  readonly records: readonly RecordPlace[];

  /** @throws {DnsError} `ERR_DNS_MESSAGE` for what is cut, has more or fewer than one question, or leads nowhere. */
  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < headerBytes) throw broken('is cut');
    if (this.#count(4) !== 1) throw broken('has not one question');
    this.question = this.#readQuestion();
    this.records = [...this.#readRecords()];
  }

  get id(): number {
    return this.bytes.readUInt16BE(0);
  }

  get isResponse(): boolean {
    return (this.bytes.readUInt16BE(2) & flags.response) !== 0;
  }

  get isTruncated(): boolean {
    return (this.bytes.readUInt16BE(2) & flags.truncated) !== 0;
  }

  /** QUERY is 0. */
  get opcode(): number {
    return (this.bytes.readUInt16BE(2) >> 11) & 0xf;
  }

  get code(): number {
    return this.bytes.readUInt16BE(2) & flags.code;
  }

  /** How much its sender takes over UDP: what EDNS says, 512 without it. */
  get largestUdp(): number {
    const opt = this.records.find(({ type }) => type === typeOpt);
    return opt === undefined ? 512 : Math.max(512, opt.class);
  }

  /** Questions with the same key have the same answer: name, type and class, and whether signatures and checks are wanted. */
  get key(): string {
    const { name, type, class: ofClass } = this.question;
    const opt = this.records.find(({ type: each }) => each === typeOpt);
    const dnssec = opt === undefined ? 0 : (opt.ttl >> 15) & 1;
    const unchecked = this.bytes.readUInt16BE(2) & flags.checkingDisabled;
    return `${type}/${ofClass}/${opt === undefined ? '-' : dnssec}/${unchecked}/${name}`;
  }

  /** Seconds that it may be kept; 0 for what may not. Of a name that is not there as long as its zone says (RFC 2308). */
  get lifetimeS(): number {
    if (this.isTruncated || (this.code !== codes.none && this.code !== codes.nameError)) return 0;
    const kept = this.records.filter(({ type }) => type !== typeOpt);
    if (kept.some(({ section }) => section === 'answer'))
      return Math.min(...kept.map(({ ttl }) => seconds(ttl)));
    const soa = kept.find(({ section, type }) => section === 'authority' && type === typeSoa);
    if (soa === undefined || soa.length < 4) return 0;
    return Math.min(seconds(soa.ttl), seconds(this.bytes.readUInt32BE(soa.data + soa.length - 4)));
  }

  /** The same answer for another who asks the same: with its id and spelling of the name, and records that are older. */
  answerTo(query: Message, ageS = 0): Buffer {
    const copy = Buffer.from(this.bytes);
    copy.writeUInt16BE(query.id, 0);
    query.bytes.copy(copy, headerBytes, headerBytes, query.question.end);
    for (const { type, ttl, ttlAt } of this.records)
      if (type !== typeOpt) copy.writeUInt32BE(Math.max(0, seconds(ttl) - ageS), ttlAt);
    return copy;
  }

  /** An answer without records: a failure, or one that says to ask again over TCP. */
  answerWith(code: number, { truncated = false }: { readonly truncated?: boolean } = {}): Buffer {
    const copy = Buffer.from(this.bytes.subarray(0, this.question.end));
    const word = this.bytes.readUInt16BE(2) & flags.copied;
    const cut = truncated ? flags.truncated : 0;
    copy.writeUInt16BE(flags.response | word | flags.recursionAvailable | cut | code, 2);
    for (const at of [6, 8, 10]) copy.writeUInt16BE(0, at);
    return copy;
  }

  #count(at: number): number {
    return this.bytes.readUInt16BE(at);
  }

  #readQuestion(): Question {
    const after = this.#skipName(headerBytes, { pointers: false });
    if (after + 4 > this.bytes.length) throw broken('is cut in its question');
    const name = this.bytes
      .toString('latin1', headerBytes, after)
      .replaceAll(/[A-Z]/gu, (one) => one.toLowerCase());
    return {
      name,
      type: this.bytes.readUInt16BE(after),
      class: this.bytes.readUInt16BE(after + 2),
      end: after + 4,
    };
  }

  *#readRecords(): Generator<RecordPlace, void, undefined> {
    let at = this.question.end;
    const sections = [
      ['answer', 6],
      ['authority', 8],
      ['additional', 10],
    ] as const;
    for (const [section, countAt] of sections) {
      for (let left = this.#count(countAt); left > 0; left--) {
        const fixed = this.#skipName(at, { pointers: true });
        if (fixed + 10 > this.bytes.length) throw broken('is cut in a record');
        const length = this.bytes.readUInt16BE(fixed + 8);
        const data = fixed + 10;
        if (data + length > this.bytes.length) throw broken('is cut in a record');
        yield {
          section,
          type: this.bytes.readUInt16BE(fixed),
          class: this.bytes.readUInt16BE(fixed + 2),
          ttlAt: fixed + 4,
          ttl: this.bytes.readUInt32BE(fixed + 4),
          data,
          length,
        };
        at = data + length;
      }
    }
  }

  /** Names are stepped over, never followed: a pointer ends one, wherever it leads. */
  #skipName(from: number, { pointers }: { readonly pointers: boolean }): number {
    let at = from;
    for (;;) {
      const length = this.bytes[at];
      if (length === undefined) throw broken('is cut in a name');
      if (length === 0) return at + 1;
      if ((length & 0xc0) === 0xc0 && pointers) {
        if (at + 2 > this.bytes.length) throw broken('is cut in a name');
        return at + 2;
      }
      if (length > 63) throw broken('has a label of a form that is not used');
      at += 1 + length;
      if (at - from > longestName - 1) throw broken('has a name of more than 255 bytes');
    }
  }
}

/** A lifetime with the highest bit set is none (RFC 2181, 8). */
function seconds(ttl: number): number {
  return ttl > 0x7fff_ffff ? 0 : ttl;
}

function broken(why: string): DnsError {
  return new DnsError('ERR_DNS_MESSAGE', `a message ${why}`);
}
