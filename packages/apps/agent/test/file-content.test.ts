import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { archiveFiles, fileHeadroomBytes, type FilePiece, readContent } from '@nodecore/native/files';
import { leakedDescriptors, openDescriptors, temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { archived, bytes, content, latin, listed, measured, tree } from './file-streams.ts';

function hash(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

// One after the other: each stream has a thread, of which a process has few at once.
test.serial('content is read from and to anywhere; the end of a file is its end', async (t) => {
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

test.serial('nothing but regular files is opened, and no memory and no log of the kernel', async (t) => {
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

test.serial('a pipe has no reader while its tree is listed, measured and archived', async (t) => {
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

test.serial(
  'what is followed goes on behind a rotation, and from the beginning when it is cut off',
  async (t) => {
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
  },
);

test.serial('who leaves leaves nothing open, also in the middle of a piece', async (t) => {
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
