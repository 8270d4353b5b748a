import { CaptureError } from '../errors.ts';
import type { ByteQueue } from './byte-queue.ts';
import { type FileInterface, type FilePacket, largestPacket } from './record.ts';

const headerBytes = 24;
const recordBytes = 16;

/** Magic numbers as a little-endian reader sees them, with what they mean (draft-ietf-opsawg-pcap, section 4). */
const magics: ReadonlyMap<number, { readonly little: boolean; readonly nanoseconds: boolean }> = new Map([
  [0xa1b2c3d4, { little: true, nanoseconds: false }],
  [0xa1b23c4d, { little: true, nanoseconds: true }],
  [0xd4c3b2a1, { little: false, nanoseconds: false }],
  [0x4d3cb2a1, { little: false, nanoseconds: true }],
]);

export function isPcap(magic: number): boolean {
  return magics.has(magic);
}

/** Records of a pcap file, in either byte order, with microseconds or nanoseconds. */
export class PcapParser {
  readonly interfaces: FileInterface[] = [];
  #little = true;
  #nanosecondsPerUnit = 1;

  /** The next packet; undefined until more bytes come. */
  next(bytes: ByteQueue): FilePacket | undefined {
    if (this.interfaces.length === 0 && !this.#readHeader(bytes)) return undefined;
    const header = bytes.peek(recordBytes);
    if (header === undefined) return undefined;
    const captured = header.getUint32(8, this.#little);
    if (captured > largestPacket) {
      const where = `at byte ${bytes.offset}`;
      throw new CaptureError(
        'ERR_CAPTURE_FORMAT',
        `a record of ${captured} bytes ${where}: the file is damaged`,
      );
    }
    if (bytes.length < recordBytes + captured) return undefined;
    const seconds = header.getUint32(0, this.#little);
    const fraction = header.getUint32(4, this.#little);
    const originalBytes = header.getUint32(12, this.#little);
    bytes.take(recordBytes);
    const data = bytes.take(captured) ?? new Uint8Array();
    const time = BigInt(seconds) * 1_000_000_000n + BigInt(fraction) * BigInt(this.#nanosecondsPerUnit);
    return { time, originalBytes, interface: 0, data };
  }

  #readHeader(bytes: ByteQueue): boolean {
    const header = bytes.peek(headerBytes);
    if (header === undefined) return false;
    const meaning = magics.get(header.getUint32(0, true));
    if (meaning === undefined) throw new CaptureError('ERR_CAPTURE_FORMAT', 'no pcap file');
    this.#little = meaning.little;
    this.#nanosecondsPerUnit = meaning.nanoseconds ? 1 : 1000;
    const major = header.getUint16(4, this.#little);
    if (major !== 2) throw new CaptureError('ERR_CAPTURE_FORMAT', `version ${major} of pcap is not known`);
    this.interfaces.push({
      // The upper bits are flags about a frame check sequence.
      linkType: header.getUint32(20, this.#little) & 0xffff,
      snapLength: header.getUint32(16, this.#little),
      name: '',
      filter: '',
      description: '',
    });
    bytes.take(headerBytes);
    return true;
  }
}
