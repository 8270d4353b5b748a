import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';

import test from 'ava';

import { plainImage } from '../src/sparse-image.ts';

const image = Buffer.concat([Buffer.alloc(300_000), Buffer.from('words'), Buffer.alloc(300_000, 7)]);
const packed = Buffer.concat([
  zstdCompressSync(image),
  zstdCompressSync(image.subarray(0, 10)),
  zstdCompressSync(image),
]);
const whole = Buffer.concat([image, image.subarray(0, 10), image]);

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

for (const size of [1, 100, packed.length])
  test(`an image of many frames is unpacked whole from pieces of ${size} bytes`, async (t) => {
    t.true((await buffer(plainImage(pieces(packed, size)))).equals(whole));
  });

test('an image that is not packed stays as it is', async (t) => {
  t.true((await buffer(plainImage(pieces(image, 4096)))).equals(image));
  t.is((await buffer(plainImage(pieces(Buffer.from([0x28]), 1)))).length, 1);
});

test('what ends early, or has something else behind a frame, is no image', async (t) => {
  for (const bytes of [
    packed.subarray(0, packed.length - 1),
    packed.subarray(0, 7),
    Buffer.concat([packed, Buffer.from('something else')]),
  ])
    await t.throwsAsync(buffer(plainImage(pieces(bytes, 64))), { code: 'ERR_CLUSTER_IMAGE' });
});

test('why a source ends is said by its own error', async (t) => {
  const reason = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield packed.subarray(0, 50);
    throw reason;
  };
  t.is(await t.throwsAsync(buffer(plainImage(source()))), reason);
});

test('a source is let go of by who has read enough', async (t) => {
  let isLetGo = false;
  const source = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield zstdCompressSync(image);
    } finally {
      isLetGo = true;
    }
  };
  for await (const bytes of plainImage(source())) {
    t.true(bytes.length > 0);
    break;
  }
  t.true(isLetGo);
});
