import { failure } from '@nodecore/api';
import {
  FileBatch,
  type FileEntryInit,
  type FileServiceHandlers,
  FileType,
  FileUsageBatch,
  type FileUsageRequest,
  type ListFilesRequest,
  type ReadFileRequest,
} from '@nodecore/api/file';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { disk, startFakeNode, status } from './fake-node.ts';

/** A node with these files. */
async function fileNode(t: ExecutionContext, files: Partial<FileServiceHandlers>) {
  const node = await startFakeNode(t, { files });
  return { ...node, env: await clientConfig(t, { endpoints: [node.endpoint] }) };
}

const odd = Buffer.from([0x61, 0x0a, 0x1b, 0x5c, 0xff, 0xc3, 0xa9, 0xe2, 0x80, 0xae]);

const entries: readonly FileEntryInit[] = [
  { type: FileType.DIRECTORY, mode: 0o41755, links: 2n, modifiedSeconds: 86_400n, size: 4096n },
  {
    path: Buffer.from('bin/passwd'),
    type: FileType.REGULAR,
    mode: 0o104_755,
    uid: 1,
    gid: 2,
    size: 68_208n,
    diskBytes: 69_632n,
    modifiedSeconds: 1_600_000_000n,
    modifiedNanos: 5,
    links: 1n,
    inode: 7n,
    label: 'system_u:object_r:etc_t',
    attributes: ['security.capability'],
  },
  { path: odd, type: FileType.SYMLINK, mode: 0o120_777, target: Buffer.from('/x\u0007') },
  {
    path: Buffer.from('null'),
    type: FileType.CHARACTER_DEVICE,
    mode: 0o20_666,
    deviceMajor: 1,
    deviceMinor: 3,
  },
];

async function listingNode(t: ExecutionContext, failures: number = 0) {
  const asked: ListFilesRequest[] = [];
  const node = await fileNode(t, {
    list: (call) => {
      asked.push(call.request);
      const failed = Array.from({ length: failures }, () => ({
        path: Buffer.from('locked\n'),
        error: 'EACCES',
        call: 'open',
      }));
      call.write({ data: FileBatch.encode({ entries: entries.slice(0, 2) }) });
      call.write({ data: FileBatch.encode({ entries: entries.slice(2), failures: failed }) });
      call.end();
    },
  });
  return { ...node, asked };
}

test('list prints names of which each is one line, moves no cursor, and is unlike every other', async (t) => {
  const { env, asked } = await listingNode(t);
  const { code, out, error } = await osctl(['list', '/srv', '-d', '2', '-t', 'f,d', '-t', 'L'], { env });
  t.is(code, 0, error);
  t.is(out, '.\nbin/passwd\na\\n\\x1b\\\\\\xffé\\u202e\nnull\n');
  t.like(asked[0], { depth: 2, details: false, types: [1, 2, 3] });
  t.is(Buffer.from(asked[0]!.root).toString(), '/srv');
});

test('list -l prints modes as ls does, owners, sizes, times and labels', async (t) => {
  const { env, endpoint, asked } = await listingNode(t);
  const { code, out } = await osctl(['ls', '-l', '-r', '/'], { env });
  t.is(code, 0);
  const lines = out.split('\n').map((line) => line.split(/ {2,}/));
  t.deepEqual(lines.slice(0, 5), [
    ['NODE', 'MODE', 'UID', 'GID', 'SIZE(B)', 'LASTMOD', 'LABEL', 'NAME'],
    [endpoint, 'drwxr-xr-t', '0', '0', '4096', 'Jan', '2 1970 00:00', '-', '.'],
    [endpoint, '-rwsr-xr-x', '1', '2', '68208', 'Sep 13 2020 12:26', 'system_u:object_r:etc_t', 'bin/passwd'],
    [
      endpoint,
      'lrwxrwxrwx',
      '0',
      '0',
      '0',
      'Jan',
      '1 1970 00:00',
      '-',
      'a\\n\\x1b\\\\\\xffé\\u202e -> /x\\x07',
    ],
    [endpoint, 'crw-rw-rw-', '0', '0', '1,3', 'Jan', '1 1970 00:00', '-', 'null'],
  ]);
  t.like(asked[0], { depth: 0, details: true });
  t.regex((await osctl(['ls', '-l', '-H', '/'], { env })).out, /SIZE .*\n.* 4.0KiB .*\n.* 67KiB /);
});

test('programs get the bytes of a name that is no text', async (t) => {
  const { env, endpoint } = await listingNode(t);
  const { out } = await osctl(['list', '-l', '-o', 'json'], { env });
  const objects = JSON.parse(out) as object[];
  t.is(objects.length, 4);
  t.deepEqual(objects[1], {
    node: endpoint,
    path: 'bin/passwd',
    type: 'file',
    mode: '4755',
    uid: 1,
    gid: 2,
    sizeBytes: 68_208,
    diskBytes: 69_632,
    modified: '2020-09-13T12:26:40.000000005Z',
    links: 1,
    inode: 7,
    label: 'system_u:object_r:etc_t',
    attributes: ['security.capability'],
  });
  t.like(objects[2], { pathBase64: odd.toString('base64'), target: '/x\u0007' });
  t.is(
    (await osctl(['list', '-o', 'jsonpath={.type}'], { env })).out,
    'directory\nfile\nlink\ncharacter-device\n',
  );
});

test('what could not be looked at is named in the end, and the exit code says so', async (t) => {
  const { env, endpoint } = await listingNode(t, 1001);
  const { code, out, error } = await osctl(['list', '/'], { env });
  t.is(code, 6);
  t.is(out.split('\n').length, 5);
  const lines = error.trimEnd().split('\n');
  t.is(lines[0], `osctl: ${endpoint}: locked\\n: open: EACCES`);
  t.is(lines.at(-2), 'osctl: and 1 more');
  t.is(lines.at(-1), 'osctl: 1001 files could not be read');
});

test('why something could not be looked at can not do anything to the terminal', async (t) => {
  const failures = [{ path: Buffer.from('a'), error: 'E\u001B[2J\n', call: 'o\u009B1A' }];
  const { env, endpoint } = await fileNode(t, {
    list: (call) => {
      call.write({ data: FileBatch.encode({ failures }) });
      call.end();
    },
    usage: (call) => {
      call.write({ data: FileUsageBatch.encode({ failures }) });
      call.end();
    },
  });
  for (const command of ['list', 'usage']) {
    const { out, error } = await osctl([command, '/'], { env });
    t.is(error.split('\n')[0], `osctl: ${endpoint}: a: o?1A: E?[2J?`);
    t.notRegex((out + error).replaceAll('\n', ''), /\p{Cc}/u);
  }
});

test('flags that contradict each other, and paths that are none, reach no node', async (t) => {
  const { env, asked } = await listingNode(t);
  for (const [words, message] of [
    [['list', '-r', '-d', '3'], /leave out --depth/],
    [['list', '-d', '0'], /a number from 1/],
    [['list', '-t', 'x'], /"x" is none of f, d, l, L, p, s, c, b/],
    [['list', 'etc'], /etc is no path on a node/],
    [['read', 'etc'], /etc is no path on a node/],
    [['read', '/etc/hosts', '--length', '-1'], /a number of bytes/],
    [['usage', '-t', 'much'], /a size like/],
    [['diskfree', '-b', '-i'], /inodes have no size/],
  ] as const) {
    const { code, error } = await osctl([...words], { env });
    t.is(code, 2, words.join(' '));
    t.regex(error, message);
  }
  t.is(asked.length, 0);
});

test('read prints bytes as they are; a stream that breaks off is an error after what came', async (t) => {
  const asked: ReadFileRequest[] = [];
  const { env } = await fileNode(t, {
    read: (call) => {
      asked.push(call.request);
      call.write({ data: Buffer.from([0x68, 0x1b, 0x0a]) });
      if (call.request.offset === 0n) call.end();
      else call.emit('error', failure(status.INTERNAL, 'read: EIO', { code: 'ERR_FILES_FAILED' }));
    },
  });
  t.is((await osctl(['cat', '/etc/x'], { env })).out, 'h\u001b\n');
  const broken = await osctl(['read', '/etc/x', '--offset', '-9', '--length', '5', '-f'], { env });
  t.is(broken.code, 1);
  t.is(broken.out, 'h\u001b\n');
  t.regex(broken.error, /read: EIO/);
  t.like(asked[1], { offset: -9n, length: 5n, follow: true });
});

test('usage prints what the node counts: of blocks, or as files say', async (t) => {
  const asked: FileUsageRequest[] = [];
  const { env, endpoint } = await fileNode(t, {
    usage: (call) => {
      asked.push(call.request);
      const rows = call.request.paths.map((path) => ({
        path,
        type: FileType.DIRECTORY,
        diskBytes: 12_288n,
        apparentBytes: 1000n,
        files: 3n,
      }));
      call.write({ data: FileUsageBatch.encode({ rows }) });
      call.end();
    },
  });
  t.is((await osctl(['du', '/a', '/b'], { env })).out, 'SIZE    NAME\n12288   /a\n12288   /b\n');
  t.is((await osctl(['usage', '-H', '/a'], { env })).out, 'SIZE    NAME\n12KiB   /a\n');
  t.is((await osctl(['usage', '--apparent', '-a', '-t', '-4KiB'], { env })).out, 'SIZE   NAME\n1000   /\n');
  t.like(asked[0], { depth: 0, all: false, threshold: 0n, apparent: false });
  t.like(asked[2], { all: true, threshold: -4096n, apparent: true });
  t.true(asked[2]!.depth > 1_000_000);
  const { out } = await osctl(['usage', '/a', '-o', 'json'], { env });
  t.deepEqual(JSON.parse(out), [
    { node: endpoint, path: '/a', type: 'directory', diskBytes: 12_288, apparentBytes: 1000, files: 3 },
  ]);
});

const volumes = {
  'Disks.block.nodecore.dev': { nvme0n1: disk },
  'VolumeStatuses.block.nodecore.dev': {
    EPHEMERAL: { type: 'partition', phase: 'ready', filesystem: 'xfs' },
    'u-logs': { type: 'directory', phase: 'ready' },
    's-swap': { type: 'partition', phase: 'ready', filesystem: 'swap' },
    'u-data': { type: 'disk', phase: 'waiting', reason: 'no disk matches' },
  },
  'MountStatuses.block.nodecore.dev': {
    EPHEMERAL: { source: '/dev/vda5', target: '/', filesystem: 'xfs', phase: 'mounted' },
    'u-logs': { source: '/var/mnt/logs', target: '/var/mnt/logs', phase: 'mounted' },
    'u-data': { source: '/dev/vdb', target: '/var/mnt/data', phase: 'waiting' },
  },
};

test('diskfree shows mounted volumes with a file system of their own, and says why another has no row', async (t) => {
  const node = await startFakeNode(t, { specs: volumes });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const { code, out, error } = await osctl(['diskfree'], { env });
  t.is(code, 0, error);
  const [head, ...rows] = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {3,}/));
  t.deepEqual(head, ['NODE', 'VOLUME', 'FILESYSTEM', 'SIZE', 'USED', 'AVAILABLE', 'USAGE', 'MOUNT POINT']);
  t.is(rows.length, 1);
  t.deepEqual(rows[0]!.slice(0, 3), [node.endpoint, 'EPHEMERAL', '/dev/vda5']);
  t.regex((await osctl(['df', '-i'], { env })).out, /INODES +IUSED +IFREE +%IUSED/);
  t.is(JSON.parse((await osctl(['df', 'EPHEMERAL', '-o', 'json'], { env })).out).length, 1);
  for (const [volume, exit, message] of [
    ['nobody', 3, /there is no volume nobody/],
    ['u-logs', 1, /is a directory, and has no file system of its own/],
    ['s-swap', 1, /is swap/],
    ['u-data', 1, /is not ready: waiting: no disk matches/],
  ] as const) {
    const refused = await osctl(['diskfree', volume], { env });
    t.is(refused.code, exit, volume);
    t.regex(refused.error, message);
  }
});

test('a path is completed with what is there, directories with a slash', async (t) => {
  const names = ['bin', 'boot', 'b d', 'b\nx', 'null'].map((name) => ({
    path: Buffer.from(name),
    type: name === 'bin' ? FileType.DIRECTORY : FileType.REGULAR,
  }));
  const asked: string[] = [];
  const { env } = await fileNode(t, {
    list: (call) => {
      asked.push(Buffer.from(call.request.root).toString());
      call.write({ data: FileBatch.encode({ entries: [{ type: FileType.DIRECTORY }, ...names] }) });
      call.end();
    },
  });
  const { out } = await osctl(['__complete', '--', 'read', '/srv/b'], { env });
  t.is(out, '/srv/bin/\n/srv/boot\n');
  t.deepEqual(asked, ['/srv/']);
});
