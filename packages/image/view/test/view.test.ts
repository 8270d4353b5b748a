import { createHash } from 'node:crypto';
import {
  appendFile,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';
import { leakedDescriptors, openDescriptors, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { fileView, View, ViewError } from '../src/index.ts';
import { numbers, randomView } from './random-view.ts';

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks));
}

test('every range of every view has the bytes of a plain buffer', async (t) => {
  const directory = await temporaryDirectory(t);
  for (let seed = 1; seed <= 25; seed++) {
    const next = numbers(seed);
    const { view, bytes } = await randomView(directory, next);
    t.is(view.size, bytes.length);
    t.true((await view.bytes()).equals(bytes), `seed ${seed}`);
    t.deepEqual(await view.digest('sha256'), createHash('sha256').update(bytes).digest());
    for (let round = 0; round < 6; round++) {
      const start = next(bytes.length + 1);
      const end = start + next(bytes.length - start + 1);
      const expected = bytes.subarray(start, end);
      t.true((await collect(view.stream({ start, end }))).equals(expected), `seed ${seed} ${start}-${end}`);
      t.true((await view.slice(start, end).bytes()).equals(expected), `seed ${seed} ${start}-${end}`);
      const middle = start + next(end - start + 1);
      const glued = View.of(view.slice(start, middle), view.slice(middle, end));
      t.deepEqual(glued.extents.length, view.slice(start, end).extents.length); // neighbours are merged again
      t.true((await glued.bytes()).equals(expected));
    }
  }
});

test('others have their turns while a hole of any size is read, and made bytes are', async (t) => {
  const made = Buffer.alloc(1 << 20, 'made');
  const views = [
    View.of({ kind: 'hole', size: 1 << 28 }),
    View.of(...Array.from({ length: 256 }, () => made)),
  ];
  for (const view of views) {
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await view.digest('sha256');
    isOver = true;
    t.true(turns >= 20, `${turns} turns`);
  }
});

test('a range that is not inside is refused, and so is a size that is none', (t) => {
  const view = View.of(Buffer.from('abc'));
  for (const [start, end] of [
    [-1, 2],
    [0, 4],
    [2, 1],
    [0.5, 1],
    [0, Number.NaN],
  ] as const) {
    t.throws(() => view.slice(start, end), { instanceOf: ViewError, code: 'ERR_VIEW_RANGE' });
  }
  for (const size of [-1, 0.5, Number.NaN, Infinity, 2 ** 53]) {
    t.throws(() => View.of({ kind: 'hole', size }), { code: 'ERR_VIEW_RANGE' });
  }
  const most = { kind: 'hole', size: Number.MAX_SAFE_INTEGER } as const;
  t.throws(() => View.of(most, most), { code: 'ERR_VIEW_RANGE' });
});

test('what can not be in one buffer is streamed, and never asked of memory', async (t) => {
  const view = View.of({ kind: 'hole', size: 2 ** 50 }, Buffer.from('end'));
  await t.throwsAsync(view.bytes(), { code: 'ERR_VIEW_TOO_LARGE' });
  t.is((await collect(view.stream({ start: 2 ** 50 }))).toString(), 'end');
});

test('a hole is zeros that are not read', async (t) => {
  const view = View.of({ kind: 'hole', size: 3 }, { kind: 'hole', size: 4 });
  t.deepEqual(view.extents, [{ kind: 'hole', size: 7 }]);
  t.deepEqual(await view.bytes(), Buffer.alloc(7));
});

test('nothing is read ahead of the consumer, and who leaves early leaves nothing open', async (t) => {
  const path = join(await temporaryDirectory(t), 'input');
  await writeFile(path, Buffer.alloc(1 << 20, 1));
  const view = await fileView(path);
  const before = openDescriptors();
  for await (const chunk of view.stream()) {
    t.true(chunk.length <= 1 << 18);
    break;
  }
  t.deepEqual(
    leakedDescriptors(before).filter((name) => name.includes(path)),
    [],
  );
});

test('parts of files lie where their reader says, whole or in smaller parts, and nothing else does', async (t) => {
  const path = join(await temporaryDirectory(t), 'input');
  const content = Buffer.alloc(600_000, 'a file in parts, ');
  await writeFile(path, content);
  const made = Buffer.from('made');
  const view = View.of(made, await fileView(path), { kind: 'hole', size: 9 });
  const memory = Buffer.alloc(100_000);
  const asked: number[] = [];
  const room = (sizeBytes: number): Uint8Array => {
    asked.push(sizeBytes);
    return memory.subarray(0, sizeBytes);
  };
  const found: Buffer[] = [];
  for await (const chunk of view.stream({ room })) {
    t.is(chunk.buffer === memory.buffer, found.length > 0 && found.length < 7);
    found.push(Buffer.from(chunk));
  }
  t.true(Buffer.concat(found).equals(Buffer.concat([made, content, Buffer.alloc(9)])));
  t.deepEqual(asked, [262_144, 262_144, 262_144, 262_144, 200_000, 100_000]);
});

test('an abort ends the stream with its reason', async (t) => {
  const view = View.of({ kind: 'hole', size: 1 << 20 });
  const controller = new AbortController();
  const stream = view.stream({ signal: controller.signal });
  await stream.next();
  const reason = new Error('enough');
  controller.abort(reason);
  t.is(await t.throwsAsync(stream.next()), reason);
  t.is(await t.throwsAsync(view.digest('sha256', controller.signal)), reason);
});

async function changing(t: ExecutionContext, change: (path: string) => Promise<unknown>): Promise<void> {
  const path = join(await temporaryDirectory(t), 'input');
  await writeFile(path, Buffer.alloc(1 << 20, 1));
  await utimes(path, 1, 1);
  const before = await fileView(path);
  const half = before.stream();
  await half.next();
  await change(path);
  await t.throwsAsync(before.bytes(), { code: 'ERR_VIEW_CHANGED' }, 'opened afterwards');
  const rest = collect(half);
  if ((await stat(path).catch(() => undefined)) === undefined) {
    t.is((await rest).length, 3 << 18); // what is open stays, and is the file that was meant
    return;
  }
  await t.throwsAsync(rest, { code: 'ERR_VIEW_CHANGED' }, 'while it is read');
}

test('a file that grew ends in an error', changing, (path: string) => appendFile(path, 'x'));
test('a file that shrank ends in an error', changing, (path: string) => truncate(path, 1000));
test('a file of the same size with other bytes ends in an error', changing, (path: string) =>
  writeFile(path, Buffer.alloc(1 << 20, 2)),
);
test('a file that is gone ends in an error', changing, (path: string) => rm(path));

test('a file that the system does not give is no changed one, and is read when it does', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'input');
  await writeFile(path, 'input');
  const view = await fileView(path);
  await rename(path, `${path}.aside`);
  await symlink('input', path); // which leads nowhere but to itself
  const error = await t.throwsAsync<ViewError>(view.bytes(), {
    instanceOf: ViewError,
    code: 'ERR_VIEW_UNREADABLE',
    message: `${path} can not be read: ELOOP`,
  });
  t.is(codeOf(error?.cause), 'ELOOP');
  t.is(error?.kind, 'unavailable');
  await rename(`${path}.aside`, path);
  t.is((await view.bytes()).toString(), 'input');
});

test('a file whose directory is none any more is gone', async (t) => {
  const directory = join(await temporaryDirectory(t), 'directory');
  await mkdir(directory);
  await writeFile(join(directory, 'input'), 'input');
  const view = await fileView(join(directory, 'input'));
  await rm(directory, { recursive: true });
  await writeFile(directory, 'a file');
  await t.throwsAsync(view.bytes(), { code: 'ERR_VIEW_CHANGED' });
});

test('another file under the name is not the one that was meant', async (t) => {
  const directory = await temporaryDirectory(t);
  const [path, other] = [join(directory, 'input'), join(directory, 'other')];
  for (const name of [path, other]) {
    await writeFile(name, Buffer.alloc(1000, name === path ? 1 : 2));
    await utimes(name, 1, 1);
  }
  const view = await fileView(path);
  await rename(other, path);
  await t.throwsAsync(view.bytes(), { code: 'ERR_VIEW_CHANGED' });
});

test('a written view is sparse, has its permission bits, and the part is gone', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'image');
  await writeFile(`${path}.part`, 'left by a crash');
  const view = View.of({ kind: 'hole', size: 8 << 20 }, Buffer.from('middle'), {
    kind: 'hole',
    size: 8 << 20,
  });
  await view.writeTo(path, { mode: 0o600 });
  const stats = await stat(path);
  t.is(stats.size, view.size);
  t.is(stats.mode & 0o777, 0o600);
  t.true(stats.blocks * 512 < 64 << 10, `${stats.blocks} blocks`);
  t.true((await readFile(path)).equals(await view.bytes()));
  await t.throwsAsync(stat(`${path}.part`), { code: 'ENOENT' });
});

test('a write that fails leaves the old file and no part', async (t) => {
  const directory = await temporaryDirectory(t);
  const [path, input] = [join(directory, 'image'), join(directory, 'input')];
  await writeFile(path, 'old');
  await writeFile(input, 'input');
  const view = View.of(await fileView(input));
  await rm(input);
  await t.throwsAsync(view.writeTo(path), { code: 'ERR_VIEW_CHANGED' });
  t.is(await readFile(path, 'utf8'), 'old');
  await t.throwsAsync(stat(`${path}.part`), { code: 'ENOENT' });
});
