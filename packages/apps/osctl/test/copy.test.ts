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
import { gunzipSync, gzipSync } from 'node:zlib';

import { failure } from '@nodecore/api';
import type { CopyReportInit } from '@nodecore/api/file';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

type Entry = {
  readonly name: string;
  /** As the header has it; a file by default. */
  readonly type?: string;
  readonly linkname?: string;
  readonly content?: string;
  readonly mode?: number;
  readonly uid?: number;
  readonly mtime?: number;
};

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);

/** What GNU tar would not make. */
function entryOf({
  name,
  type = '0',
  linkname = '',
  content = '',
  mode = 0o644,
  uid = 0,
  mtime = 0,
}: Entry): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, offset: number, length: number): void => {
    header.write(value.toString(8).padStart(length - 1, '0'), offset);
  };
  header.write(name, 0);
  octal(mode, 100, 8);
  octal(uid, 108, 8);
  octal(0, 116, 8);
  octal(content.length, 124, 12);
  octal(mtime, 136, 12);
  header.write(type, 156);
  header.write(linkname, 157);
  header.write('ustar\x0000', 257);
  header.fill(' ', 148, 156);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    8,
  );
  return Buffer.concat([header, padded(Buffer.from(content))]);
}

function archiveOf(entries: readonly Entry[]): Buffer {
  return gzipSync(Buffer.concat([...entries.map(entryOf), Buffer.alloc(1024)]));
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
  const archive = archiveOf([
    { name: './', type: '5', mode: 0o700 },
    { name: 'a/', type: '5', mode: 0o000 },
    { name: 'a/file', content: 'hello', mode: 0o6777, uid: 4242, mtime: 1_000_000_000 },
    { name: 'a/again', type: '1', linkname: 'a/file' },
    { name: 'a/link', type: '2', linkname: '../../outside' },
    { name: 'null', type: '3' },
    { name: 'pipe', type: '6' },
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
      { name: 'a', type: '2', linkname: '/tmp' },
      { name: 'a/x', content: 'x' },
    ],
    /a\/x leads through the link a/,
  ],
  [
    'a link in its place',
    [
      { name: 'a', type: '2', linkname: '/tmp/target' },
      { name: 'a', content: 'x' },
    ],
    /takes its place/,
  ],
  [
    'a directory behind a link',
    [
      { name: 'a', type: '2', linkname: '/tmp' },
      { name: 'a/b/', type: '5' },
    ],
    /leads through the link a/,
  ],
  [
    'a second name of something outside',
    [{ name: 'x', type: '1', linkname: '../../etc/hostname' }],
    /leads out of the directory/,
  ],
  [
    'a second name through a link',
    [
      { name: 'a', type: '2', linkname: '/etc' },
      { name: 'x', type: '1', linkname: 'a/hostname' },
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
    const { run, directory } = await copyingNode(t, archiveOf(entries));
    const { code, error } = await run();
    t.is(code, 1);
    t.regex(error, message);
    t.false(existsSync(join(directory, '../x')));
    if (existsSync(join(directory, 'x'))) t.is(readFileSync(join(directory, 'x'), 'utf8'), 'first');
    if (existsSync(join(directory, 'a'))) t.true(lstatSync(join(directory, 'a')).isDirectory());
  });

test('an archive that is cut off, damaged, or without a report is an error', async (t) => {
  const archive = archiveOf([{ name: 'large', content: 'x'.repeat(100_000) }]);
  const damaged = Buffer.from(archive);
  damaged.fill(0x55, 20, 60);
  const renamed = gunzipSync(archive);
  renamed[0] = 0x6d;
  for (const [bytes, sent, message] of [
    [archive, {}, /cut off: the node sent no report/],
    [archive, { end: 'error' }, /read: EIO/],
    [archive.subarray(0, archive.length - 30), { report: {} }, /damaged/],
    [damaged, { report: {} }, /damaged/],
    [gzipSync(renamed), { report: {} }, /damaged/],
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
  const { run, directory } = await copyingNode(t, archiveOf([{ name: 'x', content: 'x' }]));
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
  const archive = archiveOf([{ name: 'x', content: 'whole' }]);
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
