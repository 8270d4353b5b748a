import { mkdir, mkdtemp, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { packedProgram, packProgram } from '../src/packed-program.ts';

type Packed = { readonly directory: string; readonly first: string; readonly second: string };

const code = 'console.log(1);\n';

/** Sources that were written a second before they are packed. */
async function sources(t: ExecutionContext): Promise<Packed> {
  const home = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(home, { recursive: true }));
  const [first, second] = [join(home, 'first.ts'), join(home, 'inside', 'second.ts')] as const;
  await mkdir(join(home, 'inside'));
  await writeFile(first, 'const one = 1;\n');
  await writeFile(second, 'const two = 2;\n');
  return { directory: join(home, 'cache', 'pack'), first, second };
}

/** As after a build that began once the clock of files had gone on. */
async function packed(t: ExecutionContext): Promise<Packed> {
  const all = await sources(t);
  const { directory, first, second } = all;
  const begunMs = (await stat(second)).ctimeMs + 1000;
  t.true(await packProgram(directory, { code, sources: [first, second], begunMs }));
  return all;
}

/** Until a file that is written now has another time than one that was written before. */
async function nextTick(path: string): Promise<void> {
  const probe = `${path}.probe`;
  const { ctimeNs } = await stat(path, { bigint: true });
  do await writeFile(probe, '');
  while ((await stat(probe, { bigint: true })).ctimeNs === ctimeNs);
  await rm(probe);
}

test('a packed program is found as long as its sources are what they were', async (t) => {
  const { directory } = await packed(t);
  const path = packedProgram(directory);
  t.is(path, join(directory, 'program.mjs'));
  t.is(await readFile(path ?? '', 'utf8'), code);
  t.is((await stat(path ?? '')).mode & 0o777, 0o644); // others of this computer start it, too
});

const changes: Readonly<Record<string, (sources: Packed) => Promise<void>>> = {
  'is written, with as many bytes and its old time': async ({ first }) => {
    const { atime, mtime } = await stat(first);
    await nextTick(first);
    await writeFile(first, 'const one = 2;\n');
    await utimes(first, atime, mtime);
  },
  'is written, in a directory below': async ({ second }) => {
    await nextTick(second);
    await writeFile(second, 'const two = 3;\n');
  },
  'is replaced by another file of its bytes and time': async ({ first }) => {
    const { atime, mtime } = await stat(first);
    await writeFile(`${first}.new`, 'const one = 1;\n');
    await utimes(`${first}.new`, atime, mtime);
    await rename(`${first}.new`, first);
  },
  'is gone': async ({ second }) => await rm(second),
  'has a file instead of its directory': async ({ second }) => {
    await rm(join(second, '..'), { recursive: true });
    await writeFile(join(second, '..'), '');
  },
};

for (const [name, change] of Object.entries(changes))
  test(`it is none when a source ${name}`, async (t) => {
    const all = await packed(t);
    t.not(packedProgram(all.directory), undefined);
    await change(all);
    t.is(packedProgram(all.directory), undefined);
  });

test('it is none when the program is not the one that was packed', async (t) => {
  const { directory } = await packed(t);
  const program = join(directory, 'program.mjs');
  await truncate(program, 5);
  t.is(packedProgram(directory), undefined);
  await rm(program);
  t.is(packedProgram(directory), undefined);
});

for (const [name, record] of Object.entries({
  'is not JSON': '{"program"',
  'is another value': 'null',
  'has no program': '{"sources":{}}',
  'has no sources': '{"program":""}',
}))
  test(`it is none when what it was made of ${name}`, async (t) => {
    const { directory } = await packed(t);
    await writeFile(join(directory, 'sources.json'), record);
    t.is(packedProgram(directory), undefined);
  });

test('there is none where nothing was packed, or only half of it', async (t) => {
  const { directory } = await packed(t);
  t.is(packedProgram(join(directory, 'other')), undefined);
  await rm(join(directory, 'sources.json'));
  t.is(packedProgram(directory), undefined);
});

test('nothing is packed of a source that was written since it may have been read', async (t) => {
  const { directory, first, second } = await packed(t);
  const { ctimeMs } = await stat(second);
  const again = { code: 'console.log(2);\n', sources: [first, second] };
  t.false(await packProgram(directory, { ...again, begunMs: ctimeMs }));
  t.is(packedProgram(directory), undefined); // also not what was there before
  t.false(await packProgram(directory, { ...again, begunMs: ctimeMs + 5 })); // within a tick of the clock
  t.true(await packProgram(directory, { ...again, begunMs: ctimeMs + 20 }));
  t.is(await readFile(packedProgram(directory) ?? '', 'utf8'), again.code);
});

test('nothing is packed of a source that is gone', async (t) => {
  const { directory, first, second } = await packed(t);
  const begunMs = (await stat(second)).ctimeMs + 1000;
  await rm(first);
  t.false(await packProgram(directory, { code, sources: [first, second], begunMs }));
  t.is(packedProgram(directory), undefined);
});
