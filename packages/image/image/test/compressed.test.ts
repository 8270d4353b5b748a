import { execFileSync } from 'node:child_process';
import { createHash, randomFillSync } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { fileView, View } from '@nodecore/view';
import test, { type ExecutionContext } from 'ava';

import { compressedParts, type Compression, compressions, framesOf } from '../src/index.ts';
import { storedXz } from '../src/frames/stored-xz.ts';
import { mib } from './example-disk.ts';
import { written } from './tools.ts';

const programs: Readonly<Record<Compression, string>> = { gz: 'gzip', xz: 'xz', zst: 'zstd' };

async function example(t: ExecutionContext): Promise<View> {
  const path = join(await temporaryDirectory(t), 'input');
  const content = Buffer.concat([randomFillSync(Buffer.alloc(2 * mib)), Buffer.alloc(2 * mib + 1, 'text ')]);
  await writeFile(path, content);
  const input = await fileView(path);
  return View.of(
    Buffer.from('front'),
    { kind: 'hole', size: 700 },
    input.slice(10, 3 * mib),
    Buffer.alloc(1_500_000, 'made'),
    { kind: 'hole', size: 34 * mib + 3 },
    input.slice(0, 1000),
    input.slice(100_000),
    { kind: 'hole', size: mib },
  );
}

/** All frames, those of files included. */
async function compressed(view: View, compression: Compression): Promise<View> {
  const parts = await compressedParts(view, compression);
  const frames = parts.map(async (part) =>
    part instanceof Uint8Array ? [part] : await Array.fromAsync(framesOf(View.of(part), compression)),
  );
  return View.of(...(await Promise.all(frames)).flat());
}

for (const compression of compressions)
  testWith(program(programs[compression]))(
    `${programs[compression]} has the same bytes from the frames of a view`,
    async (t) => {
      const view = await example(t);
      const frames = await compressed(view, compression);
      t.true(frames.size < view.size / 8, `${frames.size}`);
      const bytes = execFileSync(programs[compression], ['-dc', await written(t, frames)], {
        maxBuffer: 1 << 28,
      });
      t.is(createHash('sha256').update(bytes).digest('hex'), (await view.digest('sha256')).toString('hex'));
      const again = await compressed(view, compression);
      t.true((await again.bytes()).equals(await frames.bytes()));
      const empty = await compressed(View.of(), compression);
      t.is(execFileSync(programs[compression], ['-dc', await written(t, empty)]).length, 0);
    },
  );

testWith(program('xz'))('xz takes a stream that holds bytes as they are, of every size', (t) => {
  for (const size of [0, 1, 3, 65_535, 65_536, 65_537, 200_001, mib]) {
    const bytes = randomFillSync(Buffer.alloc(size));
    const stream = storedXz(bytes);
    t.true(stream.length <= size + 3 * Math.ceil(size / 65_536) + 64);
    const found = execFileSync('xz', ['-dc'], { input: stream, maxBuffer: 1 << 28 });
    t.true(found.equals(bytes), `${size}`);
  }
});

test('large ranges of files are left to who keeps their frames, and a hole of 100 GiB is one frame of zeros', async (t) => {
  const parts = await compressedParts(await example(t), 'zst');
  t.deepEqual(
    parts.flatMap((part) => (part instanceof Uint8Array ? [] : [[part.offset, part.size]])),
    [
      [10, 3 * mib - 10],
      [100_000, 4 * mib + 1 - 100_000],
    ],
  );
  const hole = await compressedParts(View.of({ kind: 'hole', size: 100 * 1024 * mib }), 'zst');
  t.is(new Set(hole).size, 1);
});

test('frames of a file that changes end with why, and not the process', async (t) => {
  const path = join(await temporaryDirectory(t), 'input');
  await writeFile(path, Buffer.alloc(9 * mib, 1));
  const view = await fileView(path);
  const frames = framesOf(view, 'gz');
  t.true((await frames.next()).value instanceof Uint8Array);
  await truncate(path, 100);
  await t.throwsAsync(Array.fromAsync(frames), { code: 'ERR_VIEW_CHANGED' });
});

test('who wants no more frames ends the making of them', async (t) => {
  const ending = AbortSignal.abort(new Error('enough'));
  const view = View.of(Buffer.alloc(9 * mib));
  await t.throwsAsync(compressedParts(view, 'zst', ending), { message: 'enough' });
});
