import test from 'ava';

import { answerRegistry, digestOf, type RegistryRequest } from '../src/index.ts';
import { layer, layerDescriptor, manifest, source } from './running-registry.ts';

async function ask(path: string, headers: RegistryRequest['headers'] = {}, method = 'GET') {
  const { pathname, searchParams } = new URL(path, 'http://registry');
  return await answerRegistry({ method, path: pathname, query: searchParams, headers }, source);
}

function fieldsOf({ body }: { readonly body?: unknown }) {
  return JSON.parse((body as Buffer).toString());
}

test('a manifest is answered by tag and by digest, with its own', async (t) => {
  for (const reference of ['v1', digestOf(manifest)]) {
    const answer = await ask(`/v2/a/b/manifests/${reference}`);
    t.is(answer.status, 200);
    t.deepEqual(answer.body, manifest);
    t.is(answer.headers['docker-content-digest'], digestOf(manifest));
    t.is(answer.headers['content-length'], `${manifest.length}`);
  }
  t.is((await ask('/v2/a/b/manifests/v1', { 'if-none-match': `"${digestOf(manifest)}"` })).status, 304);
});

test('a blob is answered whole and in parts', async (t) => {
  const { digest, size } = layerDescriptor;
  const path = `/v2/a/b/blobs/${digest}`;
  t.like(await ask(path), { status: 200, body: { blob: layer, start: 0, end: size } });
  const part = await ask(path, { range: 'bytes=10-19' });
  t.like(part, { status: 206, body: { start: 10, end: 20 } });
  t.is(part.headers['content-range'], `bytes 10-19/${size}`);
  t.like(await ask(path, { range: `bytes=${size - 1}-` }), {
    status: 206,
    body: { start: size - 1, end: size },
  });
  t.like(await ask(path, { range: 'bytes=-5' }), { status: 206, body: { start: size - 5, end: size } });
  for (const first of [`${size}`, '9'.repeat(40)]) {
    const none = await ask(path, { range: `bytes=${first}-` });
    t.is(none.status, 416);
    t.is(none.headers['content-range'], `bytes */${size}`);
    t.is(fieldsOf(none).errors[0].code, 'RANGE_INVALID');
  }
  t.like(await ask(path, { range: `bytes=1-${'9'.repeat(40)}` }), { body: { start: 1, end: size } });
  t.like(await ask(path, { range: 'bytes=5-4' }), { status: 200 });
  t.like(await ask(path, { range: 'bytes=0-1,4-5' }), { status: 200 });
  t.like(await ask(path, { range: 'bytes=10-', 'if-range': `"${digest}"` }), { status: 206 });
  t.like(await ask(path, { range: 'bytes=10-', 'if-range': '"another"' }), { status: 200 });
});

test('who asks for what has an ETag gets that or nothing, before a range or what is known is looked at', async (t) => {
  const { digest, size } = layerDescriptor;
  for (const [path, etag] of [
    [`/v2/a/b/blobs/${digest}`, `"${digest}"`],
    ['/v2/a/b/manifests/v1', `"${digestOf(manifest)}"`],
  ] as const) {
    for (const tags of [etag, `"other", ${etag}`, '*'])
      t.is((await ask(path, { 'if-match': tags })).status, 200, tags);
    for (const tags of ['"other"', `W/${etag}`, digest, '']) {
      const others = { range: `bytes=${size}-`, 'if-none-match': etag };
      const answer = await ask(path, { 'if-match': tags, ...others });
      t.is(answer.status, 412, tags);
      t.is(fieldsOf(answer).errors[0].code, 'PRECONDITION_FAILED');
    }
    t.is((await ask(path, { 'if-match': etag, 'if-none-match': etag })).status, 304);
  }
  t.is((await ask('/v2/a/b/manifests/v9', { 'if-match': '*' })).status, 404);
});

test('tags are in their order, and so many at once as are asked for', async (t) => {
  const tags = async (path: string): Promise<unknown> => fieldsOf(await ask(path)).tags;
  t.deepEqual(await tags('/v2/a/b/tags/list'), ['v1', 'v2', 'v3']);
  t.deepEqual(await tags('/v2/a/b/tags/list?n=2'), ['v1', 'v2']);
  t.is((await ask('/v2/a/b/tags/list?n=2')).headers['link'], '</v2/a/b/tags/list?n=2&last=v2>; rel="next"');
  t.deepEqual(await tags('/v2/a/b/tags/list?n=2&last=v2'), ['v3']);
  t.is((await ask('/v2/a/b/tags/list?n=2&last=v2')).headers['link'], undefined);
});

const refused: readonly (readonly [path: string, status: number, code: string, method?: string])[] = [
  ['/v2/a/b/manifests/v9', 404, 'MANIFEST_UNKNOWN'],
  ['/v2/x/y/manifests/v1', 404, 'MANIFEST_UNKNOWN'],
  [`/v2/a/b/blobs/sha256:${'0'.repeat(64)}`, 404, 'BLOB_UNKNOWN'],
  ['/v2/x/tags/list', 404, 'NAME_UNKNOWN'],
  ['/v2/a/b/blobs/sha256:..', 400, 'DIGEST_INVALID'],
  ['/v2/a/b/manifests/-x', 400, 'TAG_INVALID'],
  ['/v2/A/manifests/v1', 400, 'NAME_INVALID'],
  ['/v2/a/%2e%2e/manifests/v1', 400, 'NAME_INVALID'],
  ['/v2/a//b/manifests/v1', 400, 'NAME_INVALID'],
  ['/v2/a%2fb/manifests/v1', 400, 'NAME_INVALID'],
  ['/v2/a/b/else', 404, 'UNSUPPORTED'],
  ['/v2/a/b/manifests/v1', 405, 'UNSUPPORTED', 'PUT'],
];

for (const [path, status, code, method] of refused)
  test(`refused with the code of the specification: ${method ?? 'GET'} ${path}`, async (t) => {
    // `new URL` would resolve dots: the path goes as it is.
    const answer = await answerRegistry(
      { method: method ?? 'GET', path, query: new URLSearchParams(), headers: {} },
      source,
    );
    t.is(answer.status, status);
    t.is(fieldsOf(answer).errors[0].code, code);
  });

test('whoever asks whether this is a registry gets a yes', async (t) => {
  for (const path of ['/v2', '/v2/'])
    t.like(await ask(path), { status: 200, headers: { 'docker-distribution-api-version': 'registry/2.0' } });
});
