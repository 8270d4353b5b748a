import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import test from 'ava';

import {
  formatIndex,
  formatManifest,
  formatReference,
  layerFiles,
  type Manifest,
  mediaTypes,
  parseManifest,
  parseReference,
  platformOf,
  tarParts,
} from '../src/index.ts';
import { layer } from './running-registry.ts';

const digest = `sha256:${'ab'.repeat(32)}` as const;

test('references are read, and written as they were', (t) => {
  t.deepEqual(parseReference('127.0.0.1:8081/metal-installer/ab12:v1.14.0-alpha.0'), {
    registry: '127.0.0.1:8081',
    repository: 'metal-installer/ab12',
    tag: 'v1.14.0-alpha.0',
    digest: undefined,
  });
  t.is(parseReference('localhost/a').tag, 'latest');
  for (const text of [`[::1]:5000/a/b:v1@${digest}`, `r.example.com/a@${digest}`])
    t.is(formatReference(parseReference(text)), text);
  for (const text of [
    '',
    'a',
    'library/a',
    'r.example.com/',
    'r.example.com/A',
    'r.example.com/a:',
    'r.example.com/a:-',
    'r.example.com/../a',
    'r.example.com/a@sha256:1',
    'http://r.example.com/a',
    'u:p@r.example.com/a',
  ])
    t.throws(() => parseReference(text), { code: 'ERR_OCI_REFERENCE' }, text);
});

const manifest: Manifest = {
  mediaType: mediaTypes.manifest,
  config: { mediaType: mediaTypes.config, digest, size: 1 },
  layers: [{ mediaType: mediaTypes.layer, digest, size: 2 }],
};

test('manifests and indexes are read as they were written', (t) => {
  t.deepEqual(parseManifest(formatManifest(manifest)), { kind: 'manifest', manifest });
  const index = {
    mediaType: mediaTypes.index,
    manifests: [
      { mediaType: mediaTypes.manifest, digest, size: 3, platform: { os: 'linux', architecture: 'amd64' } },
    ],
  };
  t.deepEqual(parseManifest(formatIndex(index)), { kind: 'index', index });
  t.is(platformOf(index, { os: 'linux', architecture: 'amd64' }).size, 3);
  t.throws(() => platformOf(index, { os: 'linux', architecture: 'arm64' }), {
    code: 'ERR_OCI_NOT_FOUND',
    message: /linux\/amd64/,
  });
});

test('what is no manifest is refused', (t) => {
  const texts = [
    '',
    '[]',
    '{}',
    '{"schemaVersion":2}',
    '{"schemaVersion":1,"layers":[]}',
    '{"schemaVersion":2,"layers":[],"config":{}}',
    `{"schemaVersion":2,"manifests":[{"mediaType":"x","digest":"sha256:1","size":1}]}`,
    `{"schemaVersion":2,"manifests":[{"mediaType":"x","digest":"${digest}","size":-1}]}`,
    `{"schemaVersion":2,"mediaType":"text/html","manifests":[]}`,
  ];
  for (const text of texts)
    t.throws(() => parseManifest(Buffer.from(text)), { code: 'ERR_OCI_MANIFEST' }, text);
});

test('tar reads a layer of ours, with owner 0 and no time', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'oci-test-'));
  t.teardown(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'layer.tar'), layer);
  const { stdout, stderr } = await promisify(execFile)('tar', [
    '--utc',
    '--numeric-owner',
    '-tvf',
    join(directory, 'layer.tar'),
  ]);
  t.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ')),
    [
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 install/',
      '-rw-r--r-- 0/0 3 1970-01-01 00:00 install/one',
      '-rw-r--r-- 0/0 100000 1970-01-01 00:00 install/two',
    ],
  );
  t.is(stderr, '');
});

test('contents of any kind keep their place between headers and padding', (t) => {
  const parts = tarParts<string>([
    { path: 'a', size: 513, content: 'A' },
    { path: 'b', size: 512, content: 'B' },
  ]);
  t.deepEqual(
    parts.map((part) => (typeof part === 'string' ? part : part.length)),
    [512, 'A', 511, 512, 'B', 1024],
  );
});

const changed = (change: (header: Buffer) => void): Buffer => {
  const copy = Buffer.from(layer);
  change(copy);
  copy.fill(' ', 148, 156);
  const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return copy;
};

const list = async (bytes: Uint8Array): Promise<unknown> =>
  await Array.fromAsync(
    layerFiles(
      (async function* () {
        yield bytes;
      })(),
    ),
    async ({ path, content }) => {
      for await (const _ of content);
      return path;
    },
  );

test('paths that leave a layer, links and broken archives are refused', async (t) => {
  for (const path of ['/a', '../a', 'a/../b', 'a//b', '', 'a'.repeat(101)])
    t.throws(() => tarParts([{ path, size: 0, content: '' }]), { code: 'ERR_OCI_LAYER' }, path);
  const wrong = { code: 'ERR_OCI_LAYER' };
  await t.throwsAsync(
    list(changed((header) => header.write('../x\0', 0).toString() + header.write('0', 156))),
    wrong,
  );
  await t.throwsAsync(list(changed((header) => header.write('2', 156))), wrong);
  await t.throwsAsync(list(layer.subarray(0, 3000)), wrong);
  await t.throwsAsync(list(Buffer.alloc(2048, 'x')), wrong);
});

test('files that nobody reads, or not to their end, are skipped, however large they are', async (t) => {
  t.timeout(10_000);
  const size = 1 << 20;
  const content = Buffer.alloc(size, 'x');
  const parts = tarParts(['a', 'b', 'c', 'd'].map((path) => ({ path, size, content })));
  const chunks = Buffer.concat(parts);
  const layer = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < chunks.length; at += 65_536) yield chunks.subarray(at, at + 65_536);
  };
  const found: (readonly [path: string, bytes: number])[] = [];
  for await (const file of layerFiles(layer())) {
    let bytes = 0;
    if (file.path === 'b')
      for await (const chunk of file.content) {
        bytes += chunk.length;
        if (bytes > 100_000) break;
      }
    if (file.path === 'c') for await (const chunk of file.content) bytes += chunk.length;
    found.push([file.path, bytes]);
  }
  t.deepEqual(
    found.map(([path]) => path),
    ['a', 'b', 'c', 'd'],
  );
  t.is(found[2]?.[1], size);
});
