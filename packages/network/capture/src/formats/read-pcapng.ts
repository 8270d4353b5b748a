import { CaptureError } from '../errors.ts';
import type { ByteQueue } from './byte-queue.ts';
import { optionText, pcapngOptions } from './pcapng-options.ts';
import {
  type FileInterface,
  type FilePacket,
  type FileStatistics,
  largestBlock,
  largestPacket,
} from './record.ts';

/** Type of the block that begins a section; it reads the same in both byte orders. */
export const sectionHeader = 0x0a0d0d0a;
const interfaceDescription = 1;
const packetBlock = 2; // obsolete, and still written by some
const simplePacket = 3;
const interfaceStatistics = 5;
const enhancedPacket = 6;
const commentOption = 1;
const byteOrderMagic = 0x1a2b3c4d;
const smallestBlock = 12;

type Clock = { readonly unitsPerSecond: bigint; readonly offsetSeconds: bigint };
type Body = { readonly view: DataView; readonly bytes: Uint8Array; readonly at: number };

/** Blocks of a pcapng file: any number of sections, each in its own byte order with its own interfaces. */
export class PcapngParser {
  readonly interfaces: FileInterface[] = [];
  readonly statistics: FileStatistics[] = [];
  readonly comments: string[] = [];
  readonly #clocks: Clock[] = [];
  #little = true;
  /** Index of the section's first interface. */
  #first = 0;
  #seenSection = false;
  #largestBlock = largestBlock;

  /** The next packet; undefined until more bytes come. */
  next(bytes: ByteQueue): FilePacket | undefined {
    for (;;) {
      const at = bytes.offset;
      const block = this.#takeBlock(bytes);
      if (block === undefined) return undefined;
      const packet = this.#read(block.type, { ...block, at });
      if (packet !== undefined) return packet;
    }
  }

  #takeBlock(bytes: ByteQueue): { type: number; view: DataView; bytes: Uint8Array } | undefined {
    const start = bytes.peek(smallestBlock);
    if (start === undefined) return undefined;
    // A section header's type reads the same both ways; its body says which way the rest is.
    const isSection = start.getUint32(0, true) === sectionHeader;
    if (isSection) this.#little = start.getUint32(8, true) === byteOrderMagic;
    if (isSection && start.getUint32(8, this.#little) !== byteOrderMagic)
      throw damaged('a section without its byte order', bytes.offset);
    if (!isSection && !this.#seenSection) throw damaged('no section', bytes.offset);
    const size = start.getUint32(4, this.#little);
    if (size < smallestBlock || size % 4 !== 0 || size > this.#largestBlock)
      throw damaged(`a block of ${size} bytes`, bytes.offset);
    const type = start.getUint32(0, this.#little);
    const whole = bytes.take(size);
    if (whole === undefined) return undefined;
    const body = whole.subarray(8, size - 4);
    return { type, bytes: body, view: new DataView(body.buffer, body.byteOffset, body.byteLength) };
  }

  #read(type: number, body: Body): FilePacket | undefined {
    switch (type) {
      case sectionHeader:
        this.#seenSection = true;
        this.#first = this.interfaces.length;
        if (body.bytes.length < 16) throw damaged('a section header that is too short', body.at);
        this.#keepComments(body.bytes.subarray(16));
        return undefined;
      case interfaceDescription:
        this.#describe(body);
        return undefined;
      case enhancedPacket:
        return this.#commented(
          this.#packet(body, 20, (view) => view.getUint32(0, this.#little)),
          body,
        );
      case packetBlock:
        return this.#packet(body, 20, (view) => view.getUint16(0, this.#little));
      case simplePacket:
        return this.#simplePacket(body);
      case interfaceStatistics:
        this.#count(body);
        return undefined;
      default:
        return undefined; // names, secrets, what others define: nothing we show
    }
  }

  #keepComments(options: Uint8Array): void {
    for (const { code, value } of pcapngOptions(options, this.#little))
      if (code === commentOption) this.comments.push(optionText(value));
  }

  #describe({ view, bytes, at }: Body): void {
    if (bytes.length < 8) throw damaged('an interface description that is too short', at);
    const texts = { name: '', filter: '', description: '' };
    let clock: Clock = { unitsPerSecond: 1_000_000n, offsetSeconds: 0n };
    for (const { code, value } of pcapngOptions(bytes.subarray(8), this.#little)) {
      if (code === 2) texts.name = optionText(value);
      else if (code === 3) texts.description = optionText(value);
      else if (code === 11 && value[0] === 0) texts.filter = optionText(value.subarray(1));
      else if (code === 9) clock = { ...clock, unitsPerSecond: resolution(value[0] ?? 6) };
      else if (code === 14 && value.length === 8) clock = { ...clock, offsetSeconds: this.#signed64(value) };
    }
    this.interfaces.push({
      linkType: view.getUint16(0, this.#little),
      snapLength: view.getUint32(4, this.#little),
      ...texts,
    });
    this.#clocks.push(clock);
    this.#largestBlock = Math.max(
      this.#largestBlock,
      largestPacket(view.getUint16(0, this.#little)) + largestBlock,
    );
  }

  #signed64(value: Uint8Array): bigint {
    return new DataView(value.buffer, value.byteOffset, 8).getBigInt64(0, this.#little);
  }

  #packet({ view, bytes, at }: Body, headerBytes: number, id: (view: DataView) => number): FilePacket {
    if (bytes.length < headerBytes) throw damaged('a packet block that is too short', at);
    const index = this.#first + id(view);
    const clock = this.#clocks[index];
    if (clock === undefined) throw damaged('a packet of an interface that is not described', at);
    const captured = view.getUint32(12, this.#little);
    if (captured > bytes.length - headerBytes) throw damaged('a packet that is longer than its block', at);
    const high = BigInt(view.getUint32(4, this.#little));
    const units = (high << 32n) | BigInt(view.getUint32(8, this.#little));
    const time = (units * 1_000_000_000n) / clock.unitsPerSecond + clock.offsetSeconds * 1_000_000_000n;
    return {
      time,
      originalBytes: view.getUint32(16, this.#little),
      interface: index,
      data: bytes.subarray(headerBytes, headerBytes + captured),
    };
  }

  /** Options are behind the padding; most packets have none. */
  #commented(packet: FilePacket, { bytes }: Body): FilePacket {
    const end = (20 + packet.data.length + 3) & ~3;
    if (bytes.length <= end) return packet;
    for (const { code, value } of pcapngOptions(bytes.subarray(end), this.#little))
      if (code === commentOption) return { ...packet, comment: optionText(value) };
    return packet;
  }

  /** Without a time, and as long as the block or the interface's snap length. */
  #simplePacket({ view, bytes, at }: Body): FilePacket {
    const described = this.interfaces[this.#first];
    if (bytes.length < 4 || described === undefined) throw damaged('a packet without an interface', at);
    const originalBytes = view.getUint32(0, this.#little);
    const limit = described.snapLength === 0 ? largestPacket(described.linkType) : described.snapLength;
    const captured = Math.min(originalBytes, limit, bytes.length - 4);
    return { time: 0n, originalBytes, interface: this.#first, data: bytes.subarray(4, 4 + captured) };
  }

  #count({ view, bytes, at }: Body): void {
    if (bytes.length < 12) throw damaged('statistics that are too short', at);
    let received: bigint | undefined;
    let dropped: bigint | undefined;
    for (const { code, value } of pcapngOptions(bytes.subarray(12), this.#little)) {
      if (code === 4 && value.length === 8) received = BigInt.asUintN(64, this.#signed64(value));
      if (code === 5 && value.length === 8) dropped = BigInt.asUintN(64, this.#signed64(value));
    }
    this.statistics.push({ interface: this.#first + view.getUint32(0, this.#little), received, dropped });
  }
}

/** The option `if_tsresol`: a power of ten, or of two with the upper bit set. */
function resolution(value: number): bigint {
  return (value & 0x80) === 0 ? 10n ** BigInt(value) : 2n ** BigInt(value & 0x7f);
}

function damaged(what: string, at: number): CaptureError {
  return new CaptureError('ERR_CAPTURE_FORMAT', `${what} at byte ${at}: the file is damaged`);
}
