import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { failure } from '@nodecore/api';
import type { CopyReportInit } from '@nodecore/api/file';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { type Header, pack } from 'tar-stream';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

type Entry = Partial<Header> & { readonly name: string; readonly content?: string };

async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { content, ...header } of entries) tar.entry(header, content ?? '');
  tar.finalize();
  return gzipSync(Buffer.concat(await Array.fromAsync(tar as AsyncIterable<Uint8Array>)));
}

type Sent = {
  readonly report?: CopyReportInit | undefined;
  /** How the call ends. */
  readonly end?: 'error';
};

/** A node that sends this, in small pieces, and a directory to copy into. */
async function copyingNode(t: ExecutionContext, archive: Uint8Array, sent: Sent = { report: {} }) {
  const node = await startFakeNode(t, {
    files: {
      copy: (call) => {
        for (let at = 0; at < archive.length; at += 100) call.write({ data: archive.subarray(at, at + 100) });
        if (sent.report !== undefined) call.write({ report: sent.report });
        if (sent.end === 'error') call.emit('error', failure(status.INTERNAL, 'read: EIO'));
        else call.end();
      },
    },
  });
  const directory = join(await temporaryDirectory(t), 'out');
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const run = (target = directory) => osctl(['copy', '/srv', target], { env });
  return { run, directory, endpoint: node.endpoint };
}

test('a directory gets contents, times and links; modes, owners and devices are left out', async (t) => {
  const archive = await archiveOf([
    { name: './', type: 'directory', mode: 0o700 },
    { name: 'a/', type: 'directory', mode: 0o000 },
    { name: 'a/file', content: 'hello', mode: 0o6777, uid: 4242, mtime: new Date(1_000_000_000_000) },
    { name: 'a/again', type: 'link', linkname: 'a/file' },
    { name: 'a/link', type: 'symlink', linkname: '../../outside' },
    { name: 'null', type: 'character-device' },
    { name: 'pipe', type: 'fifo' },
  ]);
  const { run, directory } = await copyingNode(t, archive, { report: { sockets: 1n } });
  const { code, error } = await run();
  t.is(code, 0, error);
  t.is(error, 'osctl: 2 devices and pipes were left out\nosctl: 1 sockets were left out\n');
  t.is(readFileSync(join(directory, 'a/file'), 'utf8'), 'hello');
  const file = statSync(join(directory, 'a/file'));
  t.is(file.mode & 0o7000, 0);
  t.is(file.uid, process.getuid!());
  t.is(file.mtimeMs, 1_000_000_000_000);
  t.is(file.ino, statSync(join(directory, 'a/again')).ino);
  t.is(readlinkSync(join(directory, 'a/link')), '../../outside');
  t.false(existsSync(join(directory, 'null')));
});

const outside: readonly (readonly [string, readonly Entry[], RegExp])[] = [
  ['..', [{ name: '../x', content: 'x' }], /\.\.\/x leads out of the directory/],
  ['.. in the middle', [{ name: 'a/../../x', content: 'x' }], /leads out of the directory/],
  ['an absolute path', [{ name: '/tmp/x', content: 'x' }], /is absolute/],
  [
    'a link on the way',
    [
      { name: 'a', type: 'symlink', linkname: '/tmp' },
      { name: 'a/x', content: 'x' },
    ],
    /a\/x leads through the link a/,
  ],
  [
    'a link in its place',
    [
      { name: 'a', type: 'symlink', linkname: '/tmp/target' },
      { name: 'a', content: 'x' },
    ],
    /takes its place/,
  ],
  [
    'a directory behind a link',
    [
      { name: 'a', type: 'symlink', linkname: '/tmp' },
      { name: 'a/b/', type: 'directory' },
    ],
    /leads through the link a/,
  ],
  [
    'a second name of something outside',
    [{ name: 'x', type: 'link', linkname: '../../etc/hostname' }],
    /leads out of the directory/,
  ],
  [
    'a second name through a link',
    [
      { name: 'a', type: 'symlink', linkname: '/etc' },
      { name: 'x', type: 'link', linkname: 'a/hostname' },
    ],
    /leads through the link a/,
  ],
  [
    'a file that is there',
    [
      { name: 'x', content: 'first' },
      { name: 'x', content: 'second' },
    ],
    /x: EEXIST/,
  ],
  [
    'a file for a directory',
    [
      { name: 'x', content: 'first' },
      { name: 'x/y', content: 'second' },
    ],
    /x: EEXIST/,
  ],
];

for (const [title, entries, message] of outside)
  test(`nothing is written through ${title}`, async (t) => {
    const { run, directory } = await copyingNode(t, await archiveOf(entries));
    const { code, error } = await run();
    t.is(code, 1);
    t.regex(error, message);
    t.false(existsSync(join(directory, '../x')));
    if (existsSync(join(directory, 'x'))) t.is(readFileSync(join(directory, 'x'), 'utf8'), 'first');
    if (existsSync(join(directory, 'a'))) t.true(lstatSync(join(directory, 'a')).isDirectory());
  });

test('an archive that is cut off, damaged, or without a report is an error', async (t) => {
  const archive = await archiveOf([{ name: 'large', content: 'x'.repeat(100_000) }]);
  const damaged = Buffer.from(archive);
  damaged.fill(0x55, 20, 60);
  for (const [bytes, sent, message] of [
    [archive, {}, /cut off: the node sent no report/],
    [archive, { end: 'error' }, /read: EIO/],
    [archive.subarray(0, archive.length - 30), { report: {} }, /damaged/],
    [damaged, { report: {} }, /damaged/],
    [Buffer.from('no archive'), { report: {} }, /damaged/],
    [gzipSync(Buffer.alloc(1024, 'x')), { report: {} }, /damaged/],
  ] as const) {
    const { run } = await copyingNode(t, bytes, sent);
    const { code, error } = await run();
    t.is(code, 1);
    t.regex(error, message);
  }
});

test('a directory with something in it stays as it is; so does a file', async (t) => {
  const { run, directory } = await copyingNode(t, await archiveOf([{ name: 'x', content: 'x' }]));
  mkdirSync(directory);
  writeFileSync(join(directory, 'mine'), '');
  const full = await run();
  t.is(full.code, 2);
  t.regex(full.error, /has files in it/);
  t.false(existsSync(join(directory, 'x')));
  const file = await run(join(directory, 'mine'));
  t.is(file.code, 2);
  t.regex(file.error, /is no directory/);
});

test('- is the archive as it came; what could not be read is named behind it', async (t) => {
  const archive = await archiveOf([{ name: 'x', content: 'whole' }]);
  const failures = [{ path: Buffer.from('locked'), error: 'EACCES', call: 'open' }];
  const { run, endpoint } = await copyingNode(t, archive, { report: { failed: 3n, failures } });
  const { code, out, error } = await run('-');
  t.is(code, 6);
  t.is(Buffer.from(out, 'latin1').length, Buffer.from(archive.toString(), 'latin1').length);
  t.is(
    error,
    `osctl: ${endpoint}: locked: open: EACCES\nosctl: and 2 more\nosctl: 3 files could not be read\n`,
  );
});

test('names that are no text, and longer than a header has room for, are those of the node', async (t) => {
  const source = await temporaryDirectory(t);
  const name = Buffer.from([0x61, 0xff, 0x0a, 0xc3, 0xa9]);
  writeFileSync(Buffer.concat([Buffer.from(`${source}/`), name]), 'odd');
  mkdirSync(join(source, 'd'.repeat(150)));
  writeFileSync(join(source, 'd'.repeat(150), 'é'.repeat(100)), 'long');
  const archive = execFileSync('tar', ['--format=gnu', '-czf', '-', '-C', source, '.']);
  const { run, directory } = await copyingNode(t, archive);
  const { code, error } = await run();
  t.is(code, 0, error);
  t.is(execFileSync('diff', ['-r', source, directory]).toString(), '');
});
