const recordHeader = 16;
const enhancedPacket = 6;
/** Type, total length twice, interface, time, captured and original length. */
const blockBytes = 32;

/**
 * Records of a pcap file as blocks of a pcapng file: little-endian, nanoseconds, both (draft-ietf-opsawg-pcapng, 4.3).
 * In memory of its own.
 *
 * @param records whole ones, as a `Batch` has them.
 * @param index of the interface in its section.
 * @param comments of the packets, in their order.
 */
export function pcapngPackets(
  records: Uint8Array,
  index: number,
  comments: readonly (string | undefined)[] = [],
): Uint8Array {
  const from = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const encoded = new Map<string | undefined, Uint8Array>([[undefined, none]]);
  const options = comments.map((comment) => encoded.get(comment) ?? noteOption(comment, encoded));
  const blocks = new Uint8Array(sizeOf(from) + options.reduce((sum, { length }) => sum + length, 0));
  const to = new DataView(blocks.buffer);
  for (let at = 0, out = 0, packet = 0; at < records.length; packet += 1) {
    const captured = from.getUint32(at + 8, true);
    const option = options[packet] ?? none;
    const total = blockBytes + padded(captured) + option.length;
    to.setUint32(out, enhancedPacket, true);
    to.setUint32(out + 4, total, true);
    to.setUint32(out + 8, index, true);
    writeTime(to, out + 12, from.getUint32(at, true), from.getUint32(at + 4, true));
    to.setUint32(out + 20, captured, true);
    to.setUint32(out + 24, from.getUint32(at + 12, true), true);
    const data = at + recordHeader;
    blocks.set(records.subarray(data, data + captured), out + 28);
    blocks.set(option, out + 28 + padded(captured));
    to.setUint32(out + total - 4, total, true);
    at = data + captured;
    out += total;
  }
  return blocks;
}

const none = new Uint8Array();
const commentCode = 1;
const longestComment = 4096;

/** Packets of one connection have the same. */
function noteOption(comment = '', encoded: Map<string | undefined, Uint8Array>): Uint8Array {
  const option = commentOption(comment);
  encoded.set(comment, option);
  return option;
}

/** The comment and the end of options. */
function commentOption(comment: string): Uint8Array {
  const text = Buffer.from(comment).subarray(0, longestComment);
  const option = Buffer.alloc(4 + padded(text.length) + 4);
  option.writeUInt16LE(commentCode, 0);
  option.writeUInt16LE(text.length, 2);
  option.set(text, 4);
  return option;
}

function sizeOf(records: DataView): number {
  let bytes = 0;
  for (let at = 0; at < records.byteLength;) {
    const captured = records.getUint32(at + 8, true);
    bytes += blockBytes + padded(captured);
    at += recordHeader + captured;
  }
  return bytes;
}

function padded(bytes: number): number {
  return (bytes + 3) & ~3;
}

/** Nanoseconds since the epoch, the upper half first. By halves of the seconds, as 64 bits are too many for a number. */
function writeTime(to: DataView, at: number, seconds: number, nanoseconds: number): void {
  const upper = (seconds >>> 16) * 1e9;
  const lower = (upper % 65_536) * 65_536 + (seconds & 0xffff) * 1e9 + nanoseconds;
  to.setUint32(at, Math.floor(upper / 65_536) + Math.floor(lower / 2 ** 32), true);
  to.setUint32(at + 4, lower % 2 ** 32, true);
}
