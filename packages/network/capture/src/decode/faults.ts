/**
 * What is wrong with one packet. Bytes that are not what they should be are a mark on the packet, never an exception:
 * a sender of packets must not be able to end their reader.
 */
export class Faults {
  /** The protocol that is being read. */
  protocol = '';
  /** The first protocol whose bytes the capture cut off. */
  truncated: string | undefined;
  /** The first contradiction, in words. */
  malformed: string | undefined;

  /** Bytes were on the wire and are not in the capture. */
  truncate(): void {
    this.truncated ??= this.protocol;
  }

  /** The packet contradicts itself. */
  damage(what: string): void {
    this.malformed ??= `${this.protocol}: ${what}`;
  }
}
