import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { digestOnDisk, readAhead, writeImage } from '../src/image-file.ts';

const window = 8 << 20;

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('images of any size and in any pieces are written as they are given, and their digest is that of their bytes', async (t) => {
  const directory = await temporaryDirectory(t);
  const all = randomBytes(2 * window + 12_345);
  for (const size of [0, 1, window - 1, window, window + 1, all.length])
    for (const piece of [1 << 20, 999_999]) {
      const path = join(directory, `${size}-${piece}`);
      const bytes = all.subarray(0, size);
      {
        await using file = await open(path, 'wx');
        await writeImage(file, chunksOf(bytes, piece));
      }
      t.true((await readFile(path)).equals(bytes), path);
      t.is(await digestOnDisk(path), createHash('sha256').update(bytes).digest('hex'), path);
    }
});

test('an image that breaks off, and one that is not waited for any more, end with their reason', async (t) => {
  const path = join(await temporaryDirectory(t), 'image');
  const bytes = randomBytes(window + 1);
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* chunksOf(bytes, 1 << 20);
    throw new Error('the connection is gone');
  }
  await using file = await open(path, 'wx');
  await t.throwsAsync(writeImage(file, broken()), { message: 'the connection is gone' });
  t.is((await file.stat()).size, bytes.length, 'nothing writes any more');
  await using reader = await open(path, 'r');
  await t.throwsAsync(writeImage(reader, chunksOf(bytes, 1 << 20)), { code: 'EBADF' });
  await t.throwsAsync(digestOnDisk(path, AbortSignal.abort(new Error('taken over'))), {
    message: 'taken over',
  });
});

test('what is read ahead comes in its order, fails where it fails, and is closed by who stops', async (t) => {
  let closed = 0;
  async function* source(fails: boolean): AsyncGenerator<Uint8Array> {
    try {
      for (let n = 0; n < 3; n += 1) yield Uint8Array.of(n);
      if (fails) throw new Error('gone');
    } finally {
      closed += 1;
    }
  }
  const seen: number[] = [];
  for await (const chunk of readAhead(source(false))) seen.push(...chunk);
  t.deepEqual(seen, [0, 1, 2]);
  const failing = async (): Promise<void> => {
    for await (const chunk of readAhead(source(true))) seen.push(...chunk);
  };
  await t.throwsAsync(failing(), { message: 'gone' });
  t.deepEqual(seen, [0, 1, 2, 0, 1, 2]);
  for await (const chunk of readAhead(source(true))) if (chunk[0] === 2) break;
  t.is(closed, 3);
});

// One turn of the loop is when Node says that nobody takes a failure.
async function turns(): Promise<void> {
  for (let n = 0; n < 3; n += 1) await setImmediate();
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1);
  throw new Error('the medium is broken');
}

async function takenSlowly(): Promise<void> {
  for await (const _ of readAhead(failing())) await turns();
}

test('a disk or a source that fails while the other is waited for ends the call, and not the process', async (t) => {
  const unhandled: unknown[] = [];
  const remember = (reason: unknown): number => unhandled.push(reason);
  process.on('unhandledRejection', remember);
  t.teardown(() => process.off('unhandledRejection', remember));
  const failed = Promise.withResolvers<void>();
  const full = {
    write: () => {
      failed.resolve();
      return Promise.reject(new Error('no space left'));
    },
  } as unknown as FileHandle;
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(1);
    await failed.promise;
    await turns();
    yield Uint8Array.of(2);
  }
  await t.throwsAsync(writeImage(full, slow()), { message: 'no space left' });
  await t.throwsAsync(takenSlowly(), { message: 'the medium is broken' });
  t.deepEqual(unhandled, []);
});
