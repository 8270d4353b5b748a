import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** Encapsulating security payload (RFC 4303): the rest is encrypted. */
export type Esp = {
  readonly protocol: 'esp';
  readonly spi: number;
  readonly sequence: number;
  readonly length: number;
};

/** Authentication header (RFC 4302): what follows can be read. */
export type Ah = {
  readonly protocol: 'ah';
  readonly nextHeader: number;
  readonly spi: number;
  readonly sequence: number;
  readonly headerBytes: number;
};

/** Reads index and sequence number; the rest is encrypted. */
export function readEsp(bytes: Reader, packet: Dissection<Ah | Esp>): void {
  const length = bytes.wireLeft;
  if (bytes.need(8)) packet.push({ protocol: 'esp', spi: bytes.u32(), sequence: bytes.u32(), length });
}

/** Reads the header; what it authenticates follows in clear. */
export function readAh(bytes: Reader, packet: Dissection<Ah | Esp>): void {
  if (!bytes.need(12)) return;
  const nextHeader = bytes.u8();
  const headerBytes = (bytes.u8() + 2) * 4;
  if (headerBytes < 12) return bytes.damage(`header length ${headerBytes}`);
  bytes.skip(2);
  packet.push({ protocol: 'ah', nextHeader, spi: bytes.u32(), sequence: bytes.u32(), headerBytes });
  bytes.slice(headerBytes - 12);
  packet.next('ipProtocol', nextHeader, bytes);
}

/** `ESP(spi=0x00001234,seq=0x1), length 100`. */
export function espLine({ spi, sequence, length }: Esp): string {
  return `ESP(spi=${hexNumber(spi, 8)},seq=${hexNumber(sequence)}), length ${length}`;
}

/** `AH(spi=0x00001234,seq=0x1)`. */
export function ahLine({ spi, sequence }: Ah): string {
  return `AH(spi=${hexNumber(spi, 8)},seq=${hexNumber(sequence)})`;
}
