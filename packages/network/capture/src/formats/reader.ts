import { CaptureError } from '../errors.ts';
import { ByteQueue } from './byte-queue.ts';
import { isPcap, PcapParser } from './read-pcap.ts';
import { PcapngParser, sectionHeader } from './read-pcapng.ts';
import type { FileInterface, FilePacket, FileStatistics } from './record.ts';

/**
 * Packets of a pcap or pcapng file or stream, whichever it is, as they come.
 *
 * A file that was cut gives the packets that are whole; `truncated` says so at the end. No length that a file claims is
 * believed: memory stays within a few times the largest packet of the file's link type, 16 MiB at least.
 */
export class CaptureReader implements AsyncIterable<FilePacket> {
  readonly #chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly #bytes = new ByteQueue();
  #parser: PcapParser | PcapngParser | undefined;
  #truncated = false;

  constructor(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    this.#chunks = chunks;
  }

  /** Those that were described so far. */
  get interfaces(): readonly FileInterface[] {
    return this.#parser?.interfaces ?? [];
  }

  /** Those that were found so far; a pcap file has none. */
  get statistics(): readonly FileStatistics[] {
    return this.#parser instanceof PcapngParser ? this.#parser.statistics : [];
  }

  /** Comments of sections. */
  get comments(): readonly string[] {
    return this.#parser instanceof PcapngParser ? this.#parser.comments : [];
  }

  /** After the last packet: whether the file ended in the middle of something. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** @throws {CaptureError} `ERR_CAPTURE_FORMAT`, with the byte at which it is damaged. */
  async *[Symbol.asyncIterator](): AsyncGenerator<FilePacket, void, undefined> {
    for await (const chunk of this.#chunks) {
      this.#bytes.push(chunk);
      const parser = this.#recognise();
      if (parser === undefined) continue;
      for (let packet = parser.next(this.#bytes); packet !== undefined; packet = parser.next(this.#bytes)) {
        yield packet;
      }
    }
    this.#truncated = this.#bytes.length > 0;
    if (this.#parser === undefined) throw notCapture(0);
  }

  #recognise(): PcapParser | PcapngParser | undefined {
    if (this.#parser !== undefined) return this.#parser;
    const magic = this.#bytes.peek(4)?.getUint32(0, true);
    if (magic === undefined) return undefined;
    if (magic === sectionHeader) this.#parser = new PcapngParser();
    else if (isPcap(magic)) this.#parser = new PcapParser();
    else throw notCapture(magic);
    return this.#parser;
  }
}

/** By the first four bytes, read as little-endian; of gzip and bzip2 fewer are fixed. */
const packers: readonly { readonly mask: number; readonly magic: number; readonly name: string }[] = [
  { mask: 0xffff, magic: 0x8b1f, name: 'gzip' },
  { mask: 0xff_ffff, magic: 0x68_5a42, name: 'bzip2' },
  { mask: -1, magic: 0xfd2f_b528, name: 'zstd' },
  { mask: -1, magic: 0x587a_37fd, name: 'xz' },
  { mask: -1, magic: 0x184d_2204, name: 'lz4' },
];

function notCapture(magic: number): CaptureError {
  const packer = packers.find((one) => ((magic ^ one.magic) & one.mask) === 0);
  const hint = packer === undefined ? '' : `; it is packed with ${packer.name}, so unpack it first`;
  return new CaptureError('ERR_CAPTURE_FORMAT', `neither a pcap nor a pcapng file${hint}`);
}
