import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type FileEntry } from '@nodecore/api/file';
import type { ListingOptions, UsageOptions } from '@nodecore/native/files';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { latin, listed, measured, tree } from './file-streams.ts';

const run = promisify(execFile);

const letters = ['', 'f', 'd', 'l', 'p', 's', 'c', 'b'];

/** As find(1) prints it, with the format of the test. */
function factsOf(entry: FileEntry): string {
  return [
    latin(entry.path),
    letters[entry.type],
    (entry.mode & 0o7777).toString(8),
    entry.uid,
    entry.gid,
    entry.size,
    entry.diskBytes / 512n,
    `${entry.modifiedSeconds}.${String(entry.modifiedNanos).padStart(9, '0')}0`,
    entry.links,
    entry.inode,
    latin(entry.target),
  ].join('\0');
}

// One after the other: each stream has a thread, of which a process has few at once.
test.serial(
  'a listing has what find prints: names of any bytes, types, modes, owners, sizes, times, inodes, targets',
  async (t) => {
    const root = await tree(t);
    const format = String.raw`%P\0%y\0%m\0%U\0%G\0%s\0%b\0%T@\0%n\0%i\0%l\0\1\0`;
    const { stdout } = await run('find', [root, '-printf', format], { encoding: 'latin1' });
    const expected = stdout.split('\0\u0001\0').slice(0, -1);
    const { entries, failures } = await listed({ root, details: true });
    const ours = entries.map(factsOf);
    t.deepEqual(ours.toSorted(), expected.toSorted());
    t.deepEqual(failures, []);
    t.true(entries.every(({ mode, type }) => mode >> 12 === [0, 8, 4, 10, 1, 12, 2, 6][type]));
  },
);

test.serial(
  'a directory comes before what is in it, whose names are sorted; depth and types choose',
  async (t) => {
    const root = await tree(t);
    const paths = async (options: Omit<ListingOptions, 'root'>): Promise<string[]> =>
      (await listed({ root: join(root, 'a'), ...options })).entries.map(({ path }) => latin(path));
    t.deepEqual(await paths({}), [
      '',
      'b',
      'b/c',
      'b/c/again',
      'b/large',
      'b/none',
      'inside',
      'link',
      'small',
    ]);
    t.deepEqual(await paths({ depth: 1 }), ['', 'b', 'inside', 'link', 'small']);
    t.deepEqual(await paths({ types: [1, 3] }), [
      'b/c/again',
      'b/large',
      'b/none',
      'inside',
      'link',
      'small',
    ]);
    t.deepEqual(
      (await listed({ root: join(root, 'a/small') })).entries.map(({ type }) => type),
      [1],
    );
    t.is(
      (await listed({ root: join(root, 'a/inside') })).entries.length,
      5,
      'a link to the root is followed',
    );
  },
);

test.serial('a directory with more than anybody sorts is there as a whole', async (t) => {
  const root = await temporaryDirectory(t);
  execFileSync('bash', ['-c', 'seq -f "name-%06g" 70000 | xargs touch'], { cwd: root });
  const { entries } = await listed({ root });
  t.is(entries.length, 70_001);
  t.is(new Set(entries.map(({ path }) => latin(path))).size, 70_001);
});

test.serial('what is too deep is named, and everything else is there', async (t) => {
  const root = await temporaryDirectory(t);
  execFileSync('bash', ['-c', 'for i in $(seq 300); do mkdir d && cd d; done; touch bottom'], { cwd: root });
  writeFileSync(join(root, 'z'), '');
  const { entries, failures } = await listed({ root });
  t.deepEqual(
    failures.map(({ error, path }) => [error, latin(path).split('/').length]),
    [['ELOOP', 256]],
  );
  t.is(latin(entries.at(-1)!.path), 'z');
  t.is(entries.length, 258);
});

async function du(...words: string[]): Promise<string[]> {
  const { stdout } = await run('du', ['-0', '-B1', ...words], { encoding: 'latin1' });
  return stdout.split('\0').slice(0, -1).toSorted();
}

test.serial(
  'usage is that of du: several paths, directories below, hard links once; every size it can have',
  async (t) => {
    const root = await tree(t);
    const ours = async (options: Omit<UsageOptions, 'roots'>, ...roots: string[]): Promise<string[]> => {
      const { rows, failures } = await measured({ roots, ...options });
      t.deepEqual(failures, []);
      return rows.map(({ path, diskBytes }) => `${diskBytes}\t${latin(path)}`).toSorted();
    };
    t.deepEqual(await ours({}, root), await du('-s', root));
    t.deepEqual(await ours({ depth: 99 }, root), await du(root));
    t.deepEqual(await ours({ depth: 1 }, root), await du('-d1', root));
    t.deepEqual(await ours({ depth: 99, all: true }, root), await du('-a', root));
    const [a, b] = [join(root, 'a'), join(root, 'a/b')];
    t.deepEqual(await ours({}, a, b), await du('-s', a, b), 'what is below both counts once');
    t.deepEqual(await ours({}, b, a), await du('-s', b, a));
    t.deepEqual(await ours({ depth: 99, all: true, threshold: 8192 }, root), await du('-a', '-t8192', root));
    t.deepEqual(
      await ours({ depth: 99, all: true, threshold: -4096 }, root),
      await du('-a', '-t-4096', root),
    );
    const { rows } = await measured({ roots: [root] });
    t.is(rows[0]!.apparentBytes, await readable(root));
  },
);

/** Bytes of files and links, those of a file with two names once. */
async function readable(root: string): Promise<bigint> {
  const { stdout } = await run('find', [root, '-type', 'f,l', '-printf', String.raw`%i %s\n`]);
  const sizes = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
  return [...sizes.values()].reduce((sum, size) => sum + BigInt(size), 0n);
}

test.serial('a path that is not there has a failure, and the others have their rows', async (t) => {
  const root = await tree(t);
  const { rows, failures } = await measured({ roots: ['/nowhere', join(root, 'a')] });
  t.deepEqual(
    failures.map(({ path, error }) => [latin(path), error]),
    [['/nowhere', 'ENOENT']],
  );
  t.is(rows.length, 1);
});
