import { CaptureError } from '../errors.ts';
import type { ByteQueue } from './byte-queue.ts';
import { type FileInterface, type FilePacket, largestPacket } from './record.ts';

const headerBytes = 24;
/** What the records of most writers begin with: two words of time, two lengths. */
const recordBytes = 16;
/** Alexey Kuznetsov's records have the interface, the protocol and the packet's type behind that. */
const patchedRecordBytes = 24;

type Variant = { readonly little: boolean; readonly nanoseconds: boolean; readonly recordBytes: number };
type Lengths = 'captured first' | 'original first' | 'smaller is captured';

/** Magic numbers as a little-endian reader sees them, with what they mean (draft-ietf-opsawg-pcap, section 4; libpcap). */
const variants: ReadonlyMap<number, Variant> = new Map([
  [0xa1b2c3d4, { little: true, nanoseconds: false, recordBytes }],
  [0xa1b23c4d, { little: true, nanoseconds: true, recordBytes }],
  [0xa1b2cd34, { little: true, nanoseconds: false, recordBytes: patchedRecordBytes }],
  [0xd4c3b2a1, { little: false, nanoseconds: false, recordBytes }],
  [0x4d3cb2a1, { little: false, nanoseconds: true, recordBytes }],
  [0x34cdb2a1, { little: false, nanoseconds: false, recordBytes: patchedRecordBytes }],
]);

export function isPcap(magic: number): boolean {
  return variants.has(magic);
}

/** Records of a pcap file, in either byte order, with microseconds or nanoseconds. */
export class PcapParser {
  readonly interfaces: FileInterface[] = [];
  #variant: Variant = { little: true, nanoseconds: false, recordBytes };
  #lengths: Lengths = 'captured first';
  #largest = 0;

  /** The next packet; undefined until more bytes come. */
  next(bytes: ByteQueue): FilePacket | undefined {
    if (this.interfaces.length === 0 && !this.#readHeader(bytes)) return undefined;
    const { little, nanoseconds, recordBytes: size } = this.#variant;
    const header = bytes.peek(size);
    if (header === undefined) return undefined;
    const [captured, originalBytes] = this.#lengthsOf(header);
    if (captured > this.#largest)
      throw damaged(`a record of ${captured} bytes at byte ${bytes.offset}: the file is damaged`);
    if (bytes.length < size + captured) return undefined;
    const seconds = header.getUint32(0, little);
    const fraction = header.getUint32(4, little);
    bytes.take(size);
    const data = bytes.take(captured) ?? new Uint8Array();
    const time = BigInt(seconds) * 1_000_000_000n + BigInt(fraction) * (nanoseconds ? 1n : 1000n);
    return { time, originalBytes, interface: 0, data };
  }

  #lengthsOf(header: DataView): readonly [captured: number, original: number] {
    const first = header.getUint32(8, this.#variant.little);
    const second = header.getUint32(12, this.#variant.little);
    const inOrder =
      this.#lengths === 'captured first' || (this.#lengths === 'smaller is captured' && first <= second);
    return inOrder ? [first, second] : [second, first];
  }

  #readHeader(bytes: ByteQueue): boolean {
    const header = bytes.peek(headerBytes);
    if (header === undefined) return false;
    const variant = variants.get(header.getUint32(0, true));
    if (variant === undefined) throw damaged('no pcap file');
    const { little } = variant;
    this.#variant = variant;
    this.#lengths = lengthsOf(header.getUint16(4, little), header.getUint16(6, little));
    // The upper bits are flags about a frame check sequence.
    const linkType = header.getUint32(20, little) & 0xffff;
    this.#largest = largestPacket(linkType);
    this.interfaces.push({
      linkType,
      snapLength: header.getUint32(16, little),
      name: '',
      filter: '',
      description: '',
    });
    bytes.take(headerBytes);
    return true;
  }
}

/**
 * The two lengths changed places with version 2.3, and some writers of 2.3 did not know; 543.0 is DG/UX's (libpcap).
 *
 * @throws {CaptureError} for a version that nobody has written so far.
 */
function lengthsOf(major: number, minor: number): Lengths {
  if (major === 543 && minor === 0) return 'original first';
  if (major !== 2 || minor > 4) throw damaged(`version ${major}.${minor} of pcap is not known`);
  if (minor === 3) return 'smaller is captured';
  return minor < 3 ? 'original first' : 'captured first';
}

function damaged(message: string): CaptureError {
  return new CaptureError('ERR_CAPTURE_FORMAT', message);
}
