import { execFileSync } from 'node:child_process';
import { createHash, randomFillSync } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { type FileExtent, fileView, View } from '@nodecore/view';
import test, { type ExecutionContext } from 'ava';

import { compressed, type Compression, compressions, framesOf } from '../src/index.ts';
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

/** Frames of ranges as nobody keeps them. */
const making =
  (compression: Compression) =>
  async (range: FileExtent): Promise<View> =>
    View.of(...(await Array.fromAsync(framesOf(View.of(range), compression))));

for (const compression of compressions)
  testWith(program(programs[compression]))(
    `${programs[compression]} has the same bytes from the frames of a view`,
    async (t) => {
      const view = await example(t);
      const options = { input: making(compression) };
      const frames = await compressed(view, compression, options);
      t.true(frames.size < view.size / 8, `${frames.size}`);
      const bytes = execFileSync(programs[compression], ['-dc', await written(t, frames)], {
        maxBuffer: 1 << 28,
      });
      t.is(createHash('sha256').update(bytes).digest('hex'), (await view.digest('sha256')).toString('hex'));
      const again = await compressed(view, compression, options);
      t.true((await again.bytes()).equals(await frames.bytes()));
      const empty = await compressed(View.of(), compression, options);
      t.is(execFileSync(programs[compression], ['-dc', await written(t, empty)]).length, 0);
    },
  );

test('each large range of a file is asked for once, and a hole of 100 GiB costs next to nothing', async (t) => {
  const asked: number[] = [];
  const input = (range: FileExtent): Promise<View> => {
    asked.push(range.size);
    return Promise.resolve(View.of(Buffer.from('frames')));
  };
  await compressed(await example(t), 'zst', { input });
  t.deepEqual(asked, [3 * mib - 10, 4 * mib + 1 - 100_000]);
  const hole = await compressed(View.of({ kind: 'hole', size: 100 * 1024 * mib }), 'zst', { input });
  const kept = new Set(hole.extents.map((extent) => extent.kind === 'bytes' && extent.bytes.buffer));
  t.is(kept.size, 1);
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
  const options = { input: making('zst'), signal: ending };
  await t.throwsAsync(compressed(View.of(Buffer.alloc(9 * mib)), 'zst', options), { message: 'enough' });
});
