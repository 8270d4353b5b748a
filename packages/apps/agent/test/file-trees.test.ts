import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { CopyReport, FileBatch, FileUsageBatch, type FileEntry } from '@nodecore/api/file';
import { leakedDescriptors, openDescriptors, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import {
  archiveFiles,
  fileHeadroomBytes,
  listFiles,
  measureFiles,
  readContent,
} from '@nodecore/native/files';
import type { FilePiece, ListingOptions, UsageOptions } from '@nodecore/native/files';

const run = promisify(execFile);
const bytes = (text: string): Buffer => Buffer.from(text);

/** A tree with one of everything. */
async function tree(t: ExecutionContext): Promise<string> {
  const root = await temporaryDirectory(t);
  mkdirSync(join(root, 'a/b/c'), { recursive: true });
  mkdirSync(join(root, 'empty'));
  writeFileSync(join(root, 'a/small'), 'small\n', { mode: 0o640 });
  writeFileSync(join(root, 'a/b/large'), Buffer.alloc(700_000, 'x'));
  writeFileSync(join(root, 'a/b/none'), '');
  linkSync(join(root, 'a/b/large'), join(root, 'a/b/c/again'));
  symlinkSync('../nowhere', join(root, 'a/link'));
  symlinkSync('b', join(root, 'a/inside'));
  writeFileSync(Buffer.concat([bytes(`${root}/new\nline \u001b[31m`), Buffer.of(0xff)]), 'odd');
  writeFileSync(join(root, 'n'.repeat(120)), 'long');
  mkdirSync(join(root, 'd'.repeat(200), 'e'.repeat(200)), { recursive: true });
  writeFileSync(join(root, 'd'.repeat(200), 'e'.repeat(200), 'deep'), 'deep');
  utimesSync(join(root, 'a/small'), 1_000_000_000.5, 1_000_000_000.5);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const server = createServer().listen(join(root, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  t.teardown(() => server.close());
  return root;
}

async function listed(options: Omit<ListingOptions, 'root'> & { readonly root: string }) {
  const batches: FileBatch[] = [];
  for await (const piece of listFiles({ ...options, root: bytes(options.root) }))
    batches.push(FileBatch.decode(piece.bytes));
  return {
    entries: batches.flatMap(({ entries }) => entries),
    failures: batches.flatMap(({ failures }) => failures),
  };
}

async function measured(options: Omit<UsageOptions, 'roots'> & { readonly roots: readonly string[] }) {
  const batches: FileUsageBatch[] = [];
  for await (const piece of measureFiles({ ...options, roots: options.roots.map(bytes) }))
    batches.push(FileUsageBatch.decode(piece.bytes));
  return {
    rows: batches.flatMap(({ rows }) => rows),
    failures: batches.flatMap(({ failures }) => failures),
  };
}

async function archived(root: string): Promise<{ readonly tar: Buffer; readonly report: CopyReport }> {
  const parts: Uint8Array[] = [];
  let report: Uint8Array | undefined;
  for await (const piece of archiveFiles({ root: bytes(root) })) {
    parts.push(piece.bytes);
    report = piece.report ?? report;
  }
  return { tar: Buffer.concat(parts), report: CopyReport.decode(report!) };
}

async function content(path: string, options: { offset?: number; length?: number } = {}): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const piece of readContent({ path: bytes(path), ...options })) parts.push(piece.bytes);
  return Buffer.concat(parts).toString('latin1');
}

const latin = (name: Uint8Array): string => Buffer.from(name).toString('latin1');

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

test('a listing has what find prints: names of any bytes, types, modes, owners, sizes, times, inodes, targets', async (t) => {
  const root = await tree(t);
  const format = String.raw`%P\0%y\0%m\0%U\0%G\0%s\0%b\0%T@\0%n\0%i\0%l\0\1\0`;
  const { stdout } = await run('find', [root, '-printf', format], { encoding: 'latin1' });
  const expected = stdout.split('\0\u0001\0').slice(0, -1);
  const { entries, failures } = await listed({ root, details: true });
  const ours = entries.map(factsOf);
  t.deepEqual(ours.toSorted(), expected.toSorted());
  t.deepEqual(failures, []);
  t.true(entries.every(({ mode, type }) => mode >> 12 === [0, 8, 4, 10, 1, 12, 2, 6][type]));
});

test('a directory comes before what is in it, whose names are sorted; depth and types choose', async (t) => {
  const root = await tree(t);
  const paths = async (options: Omit<ListingOptions, 'root'>): Promise<string[]> =>
    (await listed({ root: join(root, 'a'), ...options })).entries.map(({ path }) => latin(path));
  t.deepEqual(await paths({}), ['', 'b', 'b/c', 'b/c/again', 'b/large', 'b/none', 'inside', 'link', 'small']);
  t.deepEqual(await paths({ depth: 1 }), ['', 'b', 'inside', 'link', 'small']);
  t.deepEqual(await paths({ types: [1, 3] }), ['b/c/again', 'b/large', 'b/none', 'inside', 'link', 'small']);
  t.deepEqual(
    (await listed({ root: join(root, 'a/small') })).entries.map(({ type }) => type),
    [1],
  );
  t.is((await listed({ root: join(root, 'a/inside') })).entries.length, 5, 'a link to the root is followed');
});

test('a directory with more than anybody sorts is there as a whole', async (t) => {
  const root = await temporaryDirectory(t);
  execFileSync('bash', ['-c', 'seq -f "name-%06g" 70000 | xargs touch'], { cwd: root });
  const { entries } = await listed({ root });
  t.is(entries.length, 70_001);
  t.is(new Set(entries.map(({ path }) => latin(path))).size, 70_001);
});

test('what is too deep is named, and everything else is there', async (t) => {
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

test('usage is that of du: several paths, directories below, hard links once; every size it can have', async (t) => {
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
  t.deepEqual(await ours({ depth: 99, all: true, threshold: -4096 }, root), await du('-a', '-t-4096', root));
  const { rows } = await measured({ roots: [root] });
  t.is(rows[0]!.apparentBytes, await readable(root));
});

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

test('a path that is not there has a failure, and the others have their rows', async (t) => {
  const root = await tree(t);
  const { rows, failures } = await measured({ roots: ['/nowhere', join(root, 'a')] });
  t.deepEqual(
    failures.map(({ path, error }) => [latin(path), error]),
    [['/nowhere', 'ENOENT']],
  );
  t.is(rows.length, 1);
});

function inode(path: string): string {
  return execFileSync('stat', ['-c', '%i', path]).toString();
}

test('an archive is what GNU tar makes of it: nothing differs, and sockets alone are left out', async (t) => {
  const root = await tree(t);
  execFileSync('setcap', ['cap_net_raw=ep', join(root, 'a/small')]);
  const { tar, report } = await archived(root);
  const place = await temporaryDirectory(t);
  const file = join(place, 'tree.tar');
  writeFileSync(file, tar);
  const { stdout } = await run('tar', ['--diff', '--numeric-owner', '-f', file, '-C', root]);
  t.is(stdout, '', 'neither content nor mode, owner, time or target');
  const names = async (command: string, words: string[]): Promise<string[]> =>
    (await run(command, words, { encoding: 'latin1', cwd: root })).stdout.split('\n').toSorted();
  const quoted = ['--quoting-style=c', '-tf'];
  execFileSync('bash', ['-c', `tar -cf ${place}/theirs.tar . 2>/dev/null; true`], { cwd: root });
  const theirs = await names('tar', [...quoted, join(place, 'theirs.tar')]);
  t.deepEqual(
    await names('tar', [...quoted, file]),
    theirs.map((name) => (name === '"./"' ? name : name.replace('"./', '"'))).toSorted(),
  );
  t.is(report.sockets, 1n);
  t.deepEqual(report.failures, []);
  mkdirSync(join(place, 'out'));
  await run('tar', ['--xattrs', '--xattrs-include=*', '-xpf', file, '-C', join(place, 'out')]);
  t.regex(execFileSync('getcap', [join(place, 'out/a/small')]).toString(), /cap_net_raw=ep/);
  const details = await listed({ root: join(root, 'a/small'), details: true });
  t.deepEqual(details.entries[0]!.attributes, ['security.capability']);
  t.is(inode(join(place, 'out/a/b/large')), inode(join(place, 'out/a/b/c/again')), 'one file with two names');
});

test('files of the kernel, which say that they are empty or a page long, are in the archive as they read', async (t) => {
  const { tar, report } = await archived('/sys/kernel/mm');
  const place = await temporaryDirectory(t);
  writeFileSync(join(place, 'sys.tar'), tar);
  await run('tar', ['-xf', join(place, 'sys.tar'), '-C', place]);
  const name = 'transparent_hugepage/enabled';
  t.is(readFileSync(join(place, name), 'utf8'), readFileSync(join('/sys/kernel/mm', name), 'utf8'));
  t.is(Number(report.failed), report.failures.length);
});

function hash(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

test('content is read from and to anywhere; the end of a file is its end', async (t) => {
  const root = await temporaryDirectory(t);
  const path = join(root, 'file');
  const whole = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 251));
  writeFileSync(path, whole);
  t.is(hash(await content(path)), hash(whole.toString('latin1')));
  t.is(await content(path, { offset: 599_990 }), whole.toString('latin1', 599_990));
  t.is(await content(path, { offset: -10 }), whole.toString('latin1', 599_990));
  t.is(await content(path, { offset: -10, length: 3 }), whole.toString('latin1', 599_990, 599_993));
  t.is(await content(path, { length: 0 }), '');
  t.is(await content(path, { offset: 700_000 }), '');
  t.is(await content(path, { offset: -700_000, length: 2 }), whole.toString('latin1', 0, 2));
  t.regex(await content('/proc/self/status'), /^Name:/);
});

test('nothing but regular files is opened, and no memory and no log of the kernel', async (t) => {
  const root = await tree(t);
  symlinkSync('/dev/null', join(root, 'device'));
  symlinkSync('/proc/self/mem', join(root, 'memory'));
  const refused: readonly (readonly [string, string])[] = [
    [join(root, 'pipe'), 'EINVAL'],
    [join(root, 'socket'), 'EINVAL'],
    [join(root, 'device'), 'EINVAL'],
    [join(root, 'a'), 'EISDIR'],
    [join(root, 'memory'), 'EPERM'],
    ['/proc/self/../self/mem', 'EPERM'],
    ['/proc/thread-self/pagemap', 'EPERM'],
    ['/proc/kmsg', 'EPERM'],
    ['/proc/self/fd/1', 'ELOOP'],
    ['/proc/self/root/etc/hostname', 'ELOOP'],
    ['/nowhere', 'ENOENT'],
    ['/etc/hostname/x', 'ENOTDIR'],
  ];
  for (const [path, errno] of refused)
    await t.throwsAsync(
      content(path),
      { code: 'ERR_NATIVE_SYSTEM_CALL', message: new RegExp(`${errno}$`) },
      path,
    );
});

test('a pipe has no reader while its tree is listed, measured and archived', async (t) => {
  const root = await temporaryDirectory(t);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const writer = spawn('bash', ['-c', `echo woken > ${root}/pipe`]);
  t.teardown(() => writer.kill('SIGKILL'));
  let isOpen = false;
  writer.once('exit', () => (isOpen = true));
  await listed({ root, details: true });
  await measured({ roots: [root], all: true, depth: 9 });
  await archived(root);
  await archived(join(root, 'pipe'));
  await t.throwsAsync(content(join(root, 'pipe')));
  t.false(isOpen);
});

test('what is followed goes on behind a rotation, and from the beginning when it is cut off', async (t) => {
  const root = await temporaryDirectory(t);
  const path = join(root, 'log');
  writeFileSync(path, 'one\n');
  const ended = new AbortController();
  let text = '';
  const steps: (() => void)[] = [
    () => appendFileSync(path, 'two\n'),
    () => {
      appendFileSync(path, 'last of the first\n');
      renameSync(path, `${path}.1`);
      writeFileSync(path, 'three\n');
    },
    // What is shorter than what was read was cut off, also when the reader looks only afterwards.
    () => {
      truncateSync(path);
      appendFileSync(path, 'x\n');
    },
    () => rmSync(path),
    () => writeFileSync(path, 'anew\n'),
  ];
  const marks = ['one\n', 'two\n', 'three\n', 'x\n', 'anew\n'];
  const reading = async (): Promise<void> => {
    for await (const piece of readContent({ path: bytes(path), follow: true, signal: ended.signal })) {
      text += latin(piece.bytes);
      if (text.endsWith(marks[0]!)) {
        marks.shift();
        steps.shift()?.();
        if (text.endsWith('x\n')) steps.shift()?.();
      }
      if (marks.length === 0) ended.abort(new Error('enough'));
    }
  };
  await t.throwsAsync(reading(), { message: 'enough' });
  t.is(text, 'one\ntwo\nlast of the first\nthree\nx\nanew\n');
});

test('who leaves leaves nothing open, also in the middle of a piece', async (t) => {
  const before = openDescriptors();
  const root = await tree(t);
  for await (const piece of archiveFiles({ root: bytes(root) })) {
    t.true(piece.bytes.byteOffset === fileHeadroomBytes && piece.bytes.length > 0);
    break;
  }
  const gone = new AbortController();
  const follow = readContent({ path: bytes(join(root, 'a/small')), follow: true, signal: gone.signal });
  const first: IteratorResult<FilePiece> = await follow.next();
  t.is(latin((first.value as FilePiece).bytes), 'small\n');
  const waiting = follow.next();
  gone.abort(new Error('gone'));
  await t.throwsAsync(waiting, { message: 'gone' });
  const deadline = performance.now() + 10_000;
  const ours = (): string[] => leakedDescriptors(before).filter((line) => line.includes(root));
  while (ours().some((line) => !line.includes('socket')) && performance.now() < deadline)
    await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(ours(), []);
});
