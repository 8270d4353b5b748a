import { ipv4Text, ipv6Text, macText } from './address.ts';
import type { Faults } from './faults.ts';
import { hexText } from './text.ts';

/**
 * A bounded stretch of a packet and a position in it. Nothing here throws: what is read past the end is 0, marks the
 * packet, and moves the position to the end, so that no loop over a reader runs forever.
 *
 * Two ends: `end` is where the captured bytes stop, `wireEnd` where the enclosing protocol says that the stretch stops.
 * Between them the capture is cut (truncated); past the second the packet contradicts itself (malformed).
 */
export class Reader {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
  readonly wireEnd: number;
  readonly faults: Faults;
  /** The rest is elsewhere: in another segment or fragment, or not quoted. To end early is then no contradiction. */
  readonly lenient: boolean;
  /** Something was read past the end. */
  short = false;

  constructor(
    bytes: Uint8Array,
    at: number,
    end: number,
    wireEnd: number,
    faults: Faults,
    lenient: boolean = false,
  ) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.wireEnd = wireEnd;
    this.faults = faults;
    this.lenient = lenient;
  }

  /** Captured bytes that are left. */
  get left(): number {
    return Math.max(0, this.end - this.at);
  }

  /** Bytes that are left, those that the capture cut off included. */
  get wireLeft(): number {
    return this.wireEnd - this.at;
  }

  /** Whether so many bytes are there; marks the packet when they are not. */
  need(size: number): boolean {
    if (this.at + size <= this.end) return true;
    this.#fail(size);
    return false;
  }

  #fail(size: number): void {
    if (!this.short) {
      if (this.at + size <= this.wireEnd || (this.lenient && this.end < this.wireEnd)) this.faults.truncate();
      else if (!this.lenient) this.faults.damage(`needs ${size} bytes where ${this.wireLeft} are`);
    }
    this.short = true;
    this.at = Math.max(this.at, this.end);
  }

  /** Says that the packet contradicts itself here, and stops. */
  damage(what: string): void {
    this.faults.damage(what);
    this.short = true;
    this.at = Math.max(this.at, this.end);
  }

  u8(): number {
    return this.need(1) ? this.bytes[this.at++]! : 0;
  }

  u16(): number {
    if (!this.need(2)) return 0;
    const { bytes, at } = this;
    this.at = at + 2;
    return (bytes[at]! << 8) | bytes[at + 1]!;
  }

  u24(): number {
    if (!this.need(3)) return 0;
    const { bytes, at } = this;
    this.at = at + 3;
    return (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  }

  u32(): number {
    if (!this.need(4)) return 0;
    const { bytes, at } = this;
    this.at = at + 4;
    return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
  }

  u32le(): number {
    if (!this.need(4)) return 0;
    const { bytes, at } = this;
    this.at = at + 4;
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  }

  /** A byte ahead that is not consumed, or undefined; marks nothing. */
  peek(ahead: number = 0): number | undefined {
    const at = this.at + ahead;
    return at < this.end ? this.bytes[at] : undefined;
  }

  skip(size: number): void {
    if (this.need(size)) this.at += size;
  }

  /** The next bytes, borrowed; none when they are not all there. */
  take(size: number): Uint8Array {
    if (!this.need(size)) return this.bytes.subarray(this.end, this.end);
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  /**
   * The next bytes as a reader of their own, cut to what is there; this one goes on behind them. For what may be cut
   * without harm, as the payload of a decoded header.
   */
  part(size: number, lenient: boolean = this.lenient): Reader {
    const { at, end, faults } = this;
    let wireEnd = at + size;
    if (wireEnd > this.wireEnd) {
      if (!lenient && !this.short) faults.damage(`claims ${size} bytes where ${this.wireLeft} are`);
      wireEnd = this.wireEnd;
    }
    const inside = new Reader(
      this.bytes,
      Math.min(at, end),
      Math.min(end, wireEnd),
      wireEnd,
      faults,
      lenient,
    );
    this.at = wireEnd;
    return inside;
  }

  /** As `part`, for values that are to be read whole: marks the packet where the capture cut them. */
  slice(size: number, lenient: boolean = this.lenient): Reader {
    const inside = this.part(size, lenient);
    if (inside.end < inside.wireEnd) this.faults.truncate();
    return inside;
  }

  mac(): string {
    if (!this.need(6)) return '';
    this.at += 6;
    return macText(this.bytes, this.at - 6);
  }

  ipv4(): string {
    if (!this.need(4)) return '';
    this.at += 4;
    return ipv4Text(this.bytes, this.at - 4);
  }

  ipv6(): string {
    if (!this.need(16)) return '';
    this.at += 16;
    return ipv6Text(this.bytes, this.at - 16);
  }

  /** The next bytes in hex digits: for identifiers, and numbers past 2^53. */
  hex(size: number): string {
    return hexText(this.take(size));
  }
}
