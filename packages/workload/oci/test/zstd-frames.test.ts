import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, createZstdDecompress, zstdCompressSync } from 'node:zlib';

import test from 'ava';

import { zstdFrames } from '../src/layer/zstd-frames.ts';

const contents = [
  Buffer.from('a'.repeat(300_000)), // blocks of one byte, repeated
  randomBytes(3000), // a block as it is
  Buffer.alloc(0),
  Buffer.from('a few words'),
  Buffer.from(Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n')),
];
const withChecksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
const skipped = Buffer.concat([Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 5, 0, 0, 0]), Buffer.from('notes')]);
const packed = Buffer.concat([
  ...contents.map((content) => zstdCompressSync(content)),
  skipped,
  ...contents.map((content) => zstdCompressSync(content, withChecksum)),
]);

async function unpacked(bytes: Uint8Array, pieceBytes: number): Promise<Buffer> {
  const pieces = function* (): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };
  const source = Readable.from(zstdFrames(Readable.from(pieces())), { objectMode: false });
  const plain = createZstdDecompress();
  source.on('error', (error) => plain.destroy(error));
  return await buffer(source.pipe(plain));
}

for (const pieceBytes of [1, 7, 4096, packed.length])
  test(`all frames of what zstd has packed are read from pieces of ${pieceBytes} bytes`, async (t) => {
    t.true((await unpacked(packed, pieceBytes)).equals(Buffer.concat([...contents, ...contents])));
  });

test('what is no frame, or cut off, is an error', async (t) => {
  const frame = zstdCompressSync(Buffer.from('a few words'));
  await t.throwsAsync(unpacked(Buffer.concat([frame, Buffer.from('something else')]), 4096), {
    code: 'ERR_OCI_LAYER',
  });
  for (let length = 1; length < frame.length; length += 1)
    await t.throwsAsync(
      unpacked(Buffer.concat([frame, frame.subarray(0, length)]), 4096),
      undefined,
      `${length}`,
    );
});
