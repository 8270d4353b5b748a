import { link, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import {
  answerRegistry,
  cacheFindings,
  CacheSource,
  type Digest,
  digestOf,
  fillCache,
  type FillOptions,
  formatIndex,
  formatManifest,
  mediaTypes,
  OciError,
  parseImageName,
  formatReference,
} from '../src/index.ts';

const descriptor = (mediaType: string, bytes: Uint8Array) => ({
  mediaType,
  digest: digestOf(bytes),
  size: bytes.length,
});

/** A registry in this process that counts what it is asked for. */
function fakeRegistry() {
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, Buffer>();
  const asked: string[] = [];
  const image = (name: string, type = mediaTypes.layer): Buffer => {
    const [config, layer] = [Buffer.from(`{"os":"linux","n":"${name}"}`), Buffer.alloc(5000, name)];
    for (const bytes of [config, layer, shared]) blobs.set(digestOf(bytes), bytes);
    const bytes = formatManifest({
      mediaType: mediaTypes.manifest,
      config: descriptor(mediaTypes.config, config),
      layers: [descriptor(type, layer), descriptor(type, shared)],
    });
    manifests.set(digestOf(bytes), bytes);
    return bytes;
  };
  const client: FillOptions['client'] = {
    manifest: async (_repository, reference) => {
      asked.push(reference);
      const bytes = manifests.get(reference);
      if (bytes === undefined) throw new OciError('ERR_OCI_NOT_FOUND', reference);
      return { bytes, digest: digestOf(bytes) };
    },
    async *blobFrom(_repository, { digest }, start) {
      asked.push(`${digest} from ${start}`);
      yield blobs.get(digest)!.subarray(start);
    },
  };
  return { blobs, manifests, asked, image, client };
}

const shared = Buffer.alloc(3000, 'shared');
const amd64 = { os: 'linux', architecture: 'amd64' };
const arm64 = { os: 'linux', architecture: 'arm64' };

async function setUp(t: ExecutionContext) {
  const registry = fakeRegistry();
  const cache = join(await temporaryDirectory(t), 'cache');
  const [one, two] = [registry.image('one'), registry.image('two')];
  const index = formatIndex({
    mediaType: mediaTypes.index,
    manifests: [
      { ...descriptor(mediaTypes.manifest, one), platform: amd64 },
      { ...descriptor(mediaTypes.manifest, two), platform: arm64 },
    ],
  });
  registry.manifests.set('v1', index);
  registry.manifests.set(digestOf(index), index);
  const { client } = registry;
  const options: FillOptions = { client, cache, platforms: [amd64], signatures: true };
  return { ...registry, cache, one, two, index, options };
}

const reference = parseImageName('registry.example:5000/a/b:v1');

async function problems(cache: string): Promise<readonly string[]> {
  const found = await Array.fromAsync(cacheFindings(cache));
  return found.map(({ path, problem }) => `${path.replace(/[0-9a-f]{60}/u, '…')}: ${problem}`);
}

async function served(cache: string, path: string, ns = 'registry.example:5000') {
  const source = new CacheSource(cache).of([ns]);
  return await answerRegistry({ method: 'GET', path, query: new URLSearchParams(), headers: {} }, source);
}

function read(text: string): string {
  return formatReference(parseImageName(text));
}

function signatureOf(digest: Digest): string {
  return `${digest.replace(':', '-')}.sig`;
}

test('names of images as people write them', (t) => {
  t.is(read('nginx'), 'docker.io/library/nginx:latest');
  t.is(read('nginx:1.29'), 'docker.io/library/nginx:1.29');
  t.is(read('grafana/grafana:12'), 'docker.io/grafana/grafana:12');
  t.is(read('localhost/x'), 'localhost/x:latest');
  t.is(read('registry.example:5000/a/b:v1'), 'registry.example:5000/a/b:v1');
  t.throws(() => parseImageName('A B'), { code: 'ERR_OCI_REFERENCE' });
});

test('a cache has the image of the platform, and is served; the second time nothing is fetched', async (t) => {
  const { options, cache, one, two, index, asked } = await setUp(t);
  const filled = await fillCache(reference, options);
  t.is(filled.digest, digestOf(index));
  t.is(filled.fetchedBytes, filled.sizeBytes);
  t.true(filled.sizeBytes > 8000n);
  const base = join(cache, 'manifests', 'registry.example_5000_', 'a', 'b');
  t.deepEqual(await readFile(join(base, 'reference', 'v1')), index);
  t.deepEqual(
    (await readdir(join(base, 'digest'))).toSorted(),
    [one, index].map((bytes) => digestOf(bytes).replace(':', '-')).toSorted(),
  );
  t.deepEqual(await problems(cache), []);
  t.is(asked.filter((each) => each === 'v1').length, 1, 'a tag that moves mixes nothing');
  asked.length = 0;
  t.is((await fillCache(reference, options)).fetchedBytes, 0n);
  t.false(asked.some((each) => each.includes('from')));
  const layer = digestOf(Buffer.alloc(5000, 'one'));
  for (const [path, body] of [
    ['/v2/a/b/manifests/v1', index],
    [`/v2/a/b/manifests/${digestOf(one)}`, one],
  ] as const)
    t.deepEqual((await served(cache, path)).body, body);
  t.like(await served(cache, `/v2/a/b/blobs/${layer}`), {
    status: 200,
    body: { blob: join(cache, 'blob', layer.replace(':', '-')), start: 0, end: 5000 },
  });
  t.is((await served(cache, `/v2/a/b/manifests/${digestOf(two)}`)).status, 404);
  t.is((await served(cache, '/v2/a/b/manifests/v1', 'docker.io')).status, 404, 'of another registry');
  const { body: tags } = await served(cache, '/v2/a/b/tags/list');
  t.deepEqual(tags, Buffer.from('{"name":"a/b","tags":["v1"]}'));
});

test('all platforms, and none that is there', async (t) => {
  const { options, cache, two } = await setUp(t);
  const s390x = { os: 'linux', architecture: 's390x' };
  await t.throwsAsync(fillCache(reference, { ...options, platforms: [s390x] }), {
    code: 'ERR_OCI_NOT_FOUND',
    message: /linux\/s390x; there are linux\/amd64, linux\/arm64/u,
  });
  t.is((await served(cache, '/v2/a/b/manifests/v1')).status, 404, 'what is not whole has no name');
  await fillCache(reference, { ...options, platforms: 'all' });
  t.is((await served(cache, `/v2/a/b/manifests/${digestOf(two)}`)).status, 200);
});

test('signatures stand beside what they sign, unless they are not wanted', async (t) => {
  const { options, cache, image, manifests, one, index } = await setUp(t);
  for (const signed of [index, one])
    manifests.set(signatureOf(digestOf(signed)), image(`sig of ${signed.length}`));
  await fillCache(reference, { ...options, signatures: false });
  t.is((await served(cache, `/v2/a/b/manifests/${signatureOf(digestOf(one))}`)).status, 404);
  await fillCache(reference, options);
  for (const signed of [index, one])
    t.is((await served(cache, `/v2/a/b/manifests/${signatureOf(digestOf(signed))}`)).status, 200);
  t.deepEqual(await problems(cache), []);
});

test('what was fetched in part goes on there, and what is damaged on the way is not kept', async (t) => {
  const { options, cache, blobs, asked } = await setUp(t);
  const layer = digestOf(Buffer.alloc(5000, 'one'));
  const path = join(cache, 'blob', layer.replace(':', '-'));
  blobs.set(layer, Buffer.alloc(5000, 'x'));
  await t.throwsAsync(fillCache(reference, options), { code: 'ERR_OCI_DIGEST' });
  await t.throwsAsync(stat(path), { code: 'ENOENT' });
  t.is((await served(cache, '/v2/a/b/manifests/v1')).status, 404);
  blobs.set(layer, Buffer.alloc(5000, 'one'));
  await writeFile(`${path}.part`, Buffer.alloc(2000, 'oneoneone').subarray(0, 1998));
  asked.length = 0;
  await fillCache(reference, options);
  t.true(asked.includes(`${layer} from 1998`));
  t.deepEqual(await problems(cache), []);
});

test('caches share blobs through a directory: one file where they are on one disk', async (t) => {
  const { options, cache } = await setUp(t);
  const blobs = join(cache, '..', 'blobs');
  await fillCache(reference, { ...options, blobs });
  const other = join(cache, '..', 'other');
  const again = await fillCache(reference, { ...options, cache: other, blobs });
  t.is(again.fetchedBytes, 0n);
  const name = digestOf(shared).replace(':', '-');
  const inodes = [cache, other].map(async (each) => (await stat(join(each, 'blob', name))).ino);
  t.is(new Set(await Promise.all(inodes)).size, 1);
  t.is((await stat(join(blobs, name))).nlink, 3);
  t.deepEqual(await problems(other), []);
});

test('what was damaged in a cache, or in what caches share, is fetched again', async (t) => {
  const { cache, asked, options, blobs } = await setUp(t);
  const shares = join(cache, '..', 'blobs');
  const both = { ...options, blobs: shares };
  await fillCache(reference, both);
  const digest = digestOf(shared);
  const name = digest.replace(':', '-');
  for (const directory of [join(cache, 'blob'), shares]) {
    // Another file of as many bytes, as a disk leaves it that has lost what was written last.
    await rm(join(directory, name));
    await writeFile(join(directory, name), Buffer.alloc(shared.length));
  }
  t.deepEqual(await problems(cache), [`blob/sha256-…${digest.slice(-4)}: it has other bytes`]);
  asked.length = 0;
  const { fetchedBytes } = await fillCache(reference, both);
  t.is(fetchedBytes, BigInt(shared.length));
  t.true(asked.includes(`${digest} from 0`));
  for (const directory of [join(cache, 'blob'), shares])
    t.deepEqual(await readFile(join(directory, name)), blobs.get(digest));
  t.deepEqual(await problems(cache), []);
});

test('what is damaged in a cache is found, and handed out to nobody', async (t) => {
  const { options, cache, one, index } = await setUp(t);
  await fillCache(reference, options);
  const source = new CacheSource(cache).of(['registry.example:5000']);
  const layer = digestOf(Buffer.alloc(5000, 'one'));
  const blob = join(cache, 'blob', layer.replace(':', '-'));
  t.truthy(await source.blob('a/b', layer));
  await writeFile(blob, Buffer.alloc(5000, 'bad'));
  t.is(await source.blob('a/b', layer), undefined, 'it was sound a moment ago');
  const manifest = join(
    cache,
    'manifests/registry.example_5000_/a/b/digest',
    digestOf(one).replace(':', '-'),
  );
  await truncate(manifest, 20);
  t.is((await served(cache, `/v2/a/b/manifests/${digestOf(one)}`)).status, 404);
  await writeFile(join(cache, 'blob', 'notes'), '');
  await writeFile(join(cache, 'blob', `${digestOf(index).replace(':', '-')}.part`), '');
  await writeFile(join(cache, 'manifests/registry.example_5000_/a/b/reference/v2'), '{}');
  t.deepEqual(
    (await problems(cache)).map((each) => each.replace(/sha256-[0-9a-f…]+/u, 'DIGEST')).toSorted(),
    [
      'blob/DIGEST.part: it was not fetched to its end',
      'blob/DIGEST: it has other bytes',
      'blob/notes: it is no blob',
      'manifests/registry.example_5000_/a/b/digest/DIGEST: it has other bytes',
      'manifests/registry.example_5000_/a/b/reference/v2: schemaVersion must be 2',
    ],
  );
});

test('no name leads out of a cache', async (t) => {
  const { options, cache } = await setUp(t);
  await fillCache(reference, options);
  await mkdir(join(cache, '..', 'a', 'b', 'reference'), { recursive: true });
  await link(
    join(cache, 'manifests/registry.example_5000_/a/b/reference/v1'),
    join(cache, '..', 'a/b/reference/v1'),
  );
  for (const ns of ['../..', '..', '.', '', '/etc', 'x/../..', 'registry.example:5000/../..'])
    t.is((await served(cache, '/v2/a/b/manifests/v1', ns)).status, 404, ns);
  for (const path of ['/v2/../manifests/v1', '/v2/a/b/manifests/..', '/v2/a/b/blobs/..%2f..'])
    t.not((await served(cache, path)).status, 200, path);
});
