import { crc32 } from 'node:zlib';

/** CRC32, as the check of the content. */
const flags = Buffer.from([0x00, 0x01]);
const largestChunk = 65_536;

/**
 * Bytes as an xz stream that holds them as they are (The .xz File Format, 1.1.0; LZMA2 chunks of the uncompressed kind). For what is
 * compressed already: liblzma would look for minutes for what is not there.
 */
export function storedXz(bytes: Uint8Array): Buffer {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += largestChunk) {
    const chunk = bytes.subarray(start, start + largestChunk);
    const head = Buffer.from([start === 0 ? 0x01 : 0x02, 0, 0]); // the first one begins with an empty dictionary
    head.writeUInt16BE(chunk.length - 1, 1);
    chunks.push(head, chunk);
  }
  const data = Buffer.concat([...chunks, Buffer.of(0)]);
  // 12 bytes, no sizes, one filter: LZMA2 with a dictionary of 64 KiB.
  const blockHead = withSum(Buffer.from([0x02, 0x00, 0x21, 0x01, 0x08, 0x00, 0x00, 0x00]));
  const unpadded = blockHead.length + data.length + 4;
  const index = withSum(padded(Buffer.from([0, 1, ...variable(unpadded), ...variable(bytes.length)])));
  const backward = Buffer.alloc(4);
  backward.writeUInt32LE(index.length / 4 - 1);
  const footer = Buffer.concat([backward, flags]);
  return Buffer.concat([
    Buffer.from('\xfd7zXZ\0', 'latin1'),
    withSum(flags),
    blockHead,
    padded(data),
    sumOf(bytes),
    index,
    sumOf(footer),
    footer,
    Buffer.from('YZ', 'latin1'),
  ]);
}

function sumOf(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(bytes));
  return sum;
}

function withSum(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, sumOf(bytes)]);
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes], Math.ceil(bytes.length / 4) * 4);
}

/** Seven bits a byte, the lowest first. */
function* variable(value: number): Generator<number> {
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) yield (left % 0x80) | 0x80;
  yield left;
}
