import { execFile } from 'node:child_process';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import test, { type ExecutionContext } from 'ava';
import { pack } from 'tar-stream';

import { mediaTypes, unpackLayer } from '../src/index.ts';

async function directory(t: ExecutionContext): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'oci-test-'));
  t.teardown(() => rm(made, { recursive: true }));
  return made;
}

type Special = {
  readonly type: 'symlink' | 'link' | 'directory' | 'character-device';
  readonly linkname?: string;
  readonly devmajor?: number;
  readonly devminor?: number;
};
type Entry = readonly [name: string, more?: Special | string];

/** A layer of the one who runs the test: files with a text, and what else headers say. */
async function layerOf(...entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  for (const [name, more = ''] of entries)
    if (typeof more === 'string') archive.entry({ name, ...own }, more);
    else archive.entry({ name, ...own, ...more });
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

function inTwoFrames(bytes: Buffer): Buffer {
  const half = 512;
  return Buffer.concat([zstdCompressSync(bytes.subarray(0, half)), zstdCompressSync(bytes.subarray(half))]);
}

async function unpack(root: string, layer: Buffer, mediaType: string = mediaTypes.layer): Promise<void> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < layer.length; at += 1000) yield layer.subarray(at, at + 1000);
  }
  await unpackLayer(chunks(), mediaType, root);
}

/** All that is in a tree, by path: what it is, and what it says or where it leads. */
async function tree(root: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const path of await readdir(root, { recursive: true })) {
    const at = join(root, path);
    const is = await lstat(at);
    if (is.isSymbolicLink()) found[path] = `-> ${await readlink(at)}`;
    else found[path] = is.isDirectory() ? 'directory' : await readFile(at, 'utf8');
  }
  return found;
}

for (const [name, compress, mediaType] of [
  ['plain', (bytes: Buffer) => bytes, mediaTypes.layer],
  ['with gzip', gzipSync, mediaTypes.layerGzip],
  ['with zstd', zstdCompressSync, mediaTypes.layerZstd],
  ['with zstd in two frames', inTwoFrames, mediaTypes.layerZstd],
  ['of docker', gzipSync, 'application/vnd.docker.image.rootfs.diff.tar.gzip'],
] as const)
  test(`what tar has packed is unpacked as it was: ${name}`, async (t) => {
    const [from, to] = [await directory(t), await directory(t)];
    await mkdir(join(from, 'usr/bin'), { recursive: true });
    await writeFile(join(from, 'usr/bin/one'), 'one');
    await link(join(from, 'usr/bin/one'), join(from, 'usr/bin/other'));
    await chmod(join(from, 'usr/bin/one'), 0o4751);
    await symlink('usr/bin', join(from, 'bin'));
    await writeFile(join(from, 'usr', `${'long'.repeat(40)}-ü`), 'x'.repeat(5000));
    await chmod(join(from, 'usr'), 0o1777);
    for (const path of ['usr/bin/one', 'usr/bin', 'usr']) await utimes(join(from, path), 1e9, 1e9);
    const tar = promisify(execFile)('tar', ['-C', from, '-c', '.'], {
      encoding: 'buffer',
      maxBuffer: 2 ** 24,
    });
    await unpack(to, compress((await tar).stdout), mediaType);
    t.deepEqual(await tree(to), await tree(from));
    for (const path of ['usr/bin/one', 'usr/bin', 'usr'])
      for (const fact of ['mode', 'uid', 'gid', 'mtimeMs', 'nlink'] as const)
        t.is((await lstat(join(to, path)))[fact], (await lstat(join(from, path)))[fact], `${path} ${fact}`);
  });

test('a layer takes away what lower ones have, and never what it has itself', async (t) => {
  const root = await directory(t);
  await unpack(
    root,
    await layerOf(['a/one', '1'], ['a/two', '2'], ['b/three', '3'], ['b/c/four', '4'], ['d', '5']),
  );
  await unpack(
    root,
    await layerOf(['a/.wh.one'], ['b/c/new', 'new'], ['b/.wh..wh..opq'], ['d/six', '6'], ['.wh.none']),
  );
  t.deepEqual(await tree(root), {
    a: 'directory',
    'a/two': '2',
    b: 'directory',
    'b/c': 'directory',
    'b/c/new': 'new',
    d: 'directory',
    'd/six': '6',
  });
});

test('a whiteout behind what its own layer has put there takes away what is below alone', async (t) => {
  const root = await directory(t);
  await unpack(root, await layerOf(['etc/-conf', 'old'], ['etc/+d/old', 'old'], ['f', 'old']));
  await unpack(
    root,
    await layerOf(['etc/-conf', 'new'], ['etc/.wh.-conf'], ['etc/+d/new', 'new'], ['etc/.wh.+d'], ['.wh.f']),
  );
  t.deepEqual(await tree(root), {
    etc: 'directory',
    'etc/-conf': 'new',
    'etc/+d': 'directory',
    'etc/+d/new': 'new',
  });
});

test('links of a layer lead nobody out of the directory', async (t) => {
  const [root, outside] = [await directory(t), await directory(t)];
  await writeFile(join(outside, 'victim'), 'untouched');
  const up = '../'.repeat(20);
  await unpack(
    root,
    await layerOf(
      ['absolute', { type: 'symlink', linkname: outside }],
      ['upwards', { type: 'symlink', linkname: `${up}${outside}` }],
      ['file', { type: 'symlink', linkname: join(outside, 'victim') }],
    ),
  );
  await unpack(
    root,
    await layerOf(
      ['absolute/victim', 'mine'],
      ['upwards/other', 'mine'],
      ['file', 'mine'],
      ['/slash', 'mine'],
      ['absolute/.wh.none'],
    ),
  );
  t.deepEqual(await tree(outside), { victim: 'untouched' });
  t.is(await readFile(join(root, outside, 'victim'), 'utf8'), 'mine');
  t.is(await readFile(join(root, outside, 'other'), 'utf8'), 'mine');
  t.is(await readFile(join(root, 'file'), 'utf8'), 'mine');
  await unpack(root, await layerOf(['absolute/.wh.victim']));
  t.deepEqual(await tree(outside), { victim: 'untouched' });
  for (const linkname of [`${up}${outside}/victim`, '../victim'])
    await t.throwsAsync(unpack(root, await layerOf(['hard', { type: 'link', linkname }])), {
      code: 'ERR_OCI_LAYER',
    });
  await t.throwsAsync(
    unpack(root, await layerOf(['hard', { type: 'link', linkname: join(outside, 'gone') }])),
    {
      code: 'ENOENT',
    },
  );
});

test('no layer takes away the directory itself or what is beside it', async (t) => {
  const parent = await directory(t);
  const root = join(parent, 'root');
  await mkdir(join(root, 'a'), { recursive: true });
  await writeFile(join(parent, 'beside'), 'untouched');
  const before = await tree(parent);
  for (const name of ['.wh.', '.wh..', '.wh...', 'a/.wh.', 'a/.wh..', 'a/.wh...'])
    await t.throwsAsync(unpack(root, await layerOf([name])), { code: 'ERR_OCI_LAYER' }, name);
  t.deepEqual(await tree(parent), before);
});

test('a directory that a link has replaced gives its time to nothing outside', async (t) => {
  const [root, outside] = [await directory(t), await directory(t)];
  await mkdir(join(outside, 'inner'));
  await utimes(join(outside, 'inner'), 1e9, 1e9);
  await unpack(
    root,
    await layerOf(['a/inner', { type: 'directory' }], ['a', { type: 'symlink', linkname: outside }]),
  );
  t.is((await lstat(join(outside, 'inner'))).mtimeMs, 1e12);
});

test('what is no layer is refused', async (t) => {
  const root = await directory(t);
  const wrong: readonly (readonly [Buffer, string?])[] = [
    [await layerOf(['../x', 'mine'])],
    [await layerOf(['a/../../x', 'mine'])],
    [(await layerOf(['x', 'mine'.repeat(1000)])).subarray(0, 2000)],
    [Buffer.from('no archive at all'.repeat(100))],
    [Buffer.from('no archive at all'), mediaTypes.layerGzip],
    [await layerOf(['x', 'mine']), 'application/vnd.oci.image.config.v1+json'],
    [
      await layerOf(
        ['a', { type: 'symlink', linkname: 'b' }],
        ['b', { type: 'symlink', linkname: 'a' }],
        ['a/x', ''],
      ),
    ],
  ];
  for (const [layer, mediaType] of wrong) {
    const error = await t.throwsAsync(unpack(root, layer, mediaType));
    t.truthy(error && 'code' in error, String(error));
  }
  await unpack(root, await layerOf(['dev/null', { type: 'character-device', devmajor: 1, devminor: 3 }]));
  t.false('dev/null' in (await tree(root)));
});
