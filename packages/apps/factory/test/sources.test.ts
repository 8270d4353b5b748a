import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { dockerRegistry } from './docker-registry.ts';
import { bearer, guardedFactory, tokenOf } from './known-callers.ts';
import { ask, type Running, runningFactory, submit } from './running-factory.ts';

const run = promisify(execFile);
const v = 'v1.14.0';
const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

testWith(program('docker-registry'), program('skopeo'))(
  'what docker-registry has is pulled from the factory by skopeo, byte for byte',
  async (t) => {
    const host = await dockerRegistry(t);
    const running = await runningFactory(t, { sources: { registry: host, namespace: 'upstream' } });
    const ours = `127.0.0.1:${running.factory.address.port}`;
    const { body } = await ask(running, `/image/${await submit(running, '{}')}/${v}/installer-amd64.tar`);
    const directory = await temporaryDirectory(t);
    const archive = join(directory, 'installer.tar');
    await writeFile(archive, body);
    for (const tag of ['v1', 'v2'])
      await run('skopeo', [
        'copy',
        '--dest-tls-verify=false',
        `oci-archive:${archive}`,
        `docker://${host}/upstream/installer:${tag}`,
      ]);
    const inspect = async (image: string): Promise<string> =>
      (await run('skopeo', ['inspect', '--raw', '--tls-verify=false', `docker://${image}`])).stdout;
    const manifest = await inspect(`${ours}/os/installer:v1`);
    t.is(manifest, await inspect(`${host}/upstream/installer:v1`));
    await run('skopeo', [
      'copy',
      '--src-tls-verify=false',
      `docker://${ours}/os/installer@${sha256(Buffer.from(manifest))}`,
      `oci:${join(directory, 'pulled')}`,
    ]);
    const { digest, size } = JSON.parse(manifest).layers[0];
    const blob = `/v2/os/installer/blobs/${digest}`;
    const head = await ask(running, blob, { method: 'HEAD' });
    t.like(head, { status: 200, body: Buffer.alloc(0) });
    t.is(head.headers['content-length'], `${size}`);
    const whole = await ask(running, blob);
    t.is(sha256(whole.body), digest);
    const part = await ask(running, blob, { headers: { range: 'bytes=10-19' } });
    t.is(part.status, 206);
    t.is(part.headers['content-range'], `bytes 10-19/${size}`);
    t.deepEqual(part.body, whole.body.subarray(10, 20));
    const tags = await ask(running, '/v2/os/installer/tags/list');
    t.deepEqual(JSON.parse(tags.body.toString()), { name: 'os/installer', tags: ['v1', 'v2'] });
    const missing = await ask(running, '/v2/os/installer/manifests/v4');
    t.is(missing.status, 404);
    t.is(JSON.parse(missing.body.toString()).errors[0].code, 'MANIFEST_UNKNOWN');
  },
);

type Fake = { readonly running: Running; readonly asked: IncomingMessage[] };

/** A factory whose source registry answers as it is told. */
async function withFake(t: ExecutionContext, answer: RequestListener): Promise<Fake> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const sources = { registry: `127.0.0.1:${port}`, namespace: '' };
  return { running: await runningFactory(t, { sources }), asked };
}

const errorOf = (body: Buffer): string => JSON.parse(body.toString()).errors[0].code;

test('what a source registry gives in place of what was asked for is not passed on', async (t) => {
  const other = Buffer.alloc(300_000, 'another blob');
  const { running } = await withFake(t, ({ url = '' }, response) => {
    if (url.includes('/blobs/')) {
      if (url.includes('/installer/')) response.write(other.subarray(0, 10)); // so no length is said
      response.end(url.includes('/installer/') ? other.subarray(10) : other);
    } else if (url.includes('/tags/')) response.end('[]');
    else if (url.endsWith('/large')) response.end(Buffer.alloc(5 << 20, ' '));
    else response.end(url.endsWith('/html') ? '<html>' : '{}');
  });
  const digest = sha256(Buffer.from('what was asked for'));
  for (const path of [`manifests/${digest}`, 'manifests/html', 'manifests/large', 'tags/list']) {
    const { status, body } = await ask(running, `/v2/os/imager/${path}`);
    t.is(status, 503, path);
    t.is(errorOf(body), 'UNAVAILABLE');
  }
  for (const image of ['imager', 'installer']) {
    await t.throwsAsync(ask(running, `/v2/os/${image}/blobs/${digest}`), { code: 'ECONNRESET' }, image);
    const whole = await ask(running, `/v2/os/${image}/blobs/${sha256(other)}`);
    t.is(whole.status, 200);
    t.deepEqual(whole.body, other);
    t.is(whole.headers['content-length'], image === 'imager' ? `${other.length}` : undefined);
  }
  t.is((await ask(running, '/v2/os/imager/manifests/latest')).status, 200);
});

test('what a source registry has under another ETag is not sent to who asks for one', async (t) => {
  const blob = Buffer.from('a blob');
  const digest = sha256(blob);
  const { running } = await withFake(t, ({ url = '', headers: { range } }, response) => {
    if (!url.includes('/blobs/')) response.end('{}');
    else if (range !== undefined) response.writeHead(416).end();
    else response.setHeader('etag', '"theirs"').end(blob);
  });
  const path = `/v2/os/imager/blobs/${digest}`;
  for (const [tag, status] of [
    ['"theirs"', 200],
    ['*', 200],
    ['W/"theirs"', 412],
    ['"other"', 412],
  ] as const)
    t.is((await ask(running, path, { headers: { 'if-match': tag } })).status, status, tag);
  const { body } = await ask(running, path, { headers: { 'if-match': '"other"' } });
  t.is(errorOf(body), 'PRECONDITION_FAILED');
  const none = await ask(running, path, { headers: { 'if-match': '"theirs"', range: 'bytes=99-' } });
  t.is(none.status, 416);
  const manifest = '/v2/os/imager/manifests/latest';
  const { etag } = (await ask(running, manifest)).headers;
  t.is((await ask(running, manifest, { headers: { 'if-match': String(etag) } })).status, 200);
  t.is((await ask(running, manifest, { headers: { 'if-match': '"other"' } })).status, 412);
});

test('the next page of a list is at its address here', async (t) => {
  const { running } = await withFake(t, (_request, response) => {
    response.setHeader('link', '</v2/imager/tags/list?last=b&n=2>; rel="next"');
    response.end('{"name":"imager","tags":["a","b"]}');
  });
  const { headers, body } = await ask(running, '/v2/os/imager/tags/list?n=2');
  t.is(headers['link'], '</v2/os/imager/tags/list?last=b&n=2>; rel="next"');
  t.deepEqual(JSON.parse(body.toString()), { name: 'os/imager', tags: ['a', 'b'] });
});

test('no credential of a caller is told to a source registry', async (t) => {
  const { running, asked } = await withFake(t, (_request, response) => response.end('{}'));
  const { status } = await ask(running, '/v2/os/imager/tags/list?n=5&token=secret&last=a', {
    headers: { authorization: 'Bearer secret', cookie: 'secret' },
  });
  t.is(status, 200);
  t.is(asked[0]?.url, '/v2/imager/tags/list?n=5&last=a');
  t.false(JSON.stringify(asked[0]?.rawHeaders).includes('secret'));
});

test('only images that releases are made of are asked for, by names and digests that are some', async (t) => {
  const { running, asked } = await withFake(t, (_request, response) => response.end('{}'));
  for (const [path, status] of [
    ['other/manifests/latest', 404],
    ['../installer/manifests/latest', 404],
    ['installer/../../v2/secret/manifests/latest', 404],
    ['installer/manifests/..%2f..%2fsecret', 400],
    ['installer/manifests/%2e%2e', 400],
    ['installer/blobs/latest', 400],
    ['installer/referrers/sha256:00', 400],
    ['installer/uploads/', 404],
    ['constructor/tags/list', 404],
  ] as const)
    t.is((await ask(running, `/v2/os/${path}`)).status, status, path);
  t.is((await ask(running, '/v2/os/installer/blobs/uploads/', { method: 'POST' })).status, 405);
  t.is(asked.length, 0);
});

test('a source registry that is not there is 503, and one that was not named is 404', async (t) => {
  const gone = await runningFactory(t, { sources: { registry: '127.0.0.1:1', namespace: '' } });
  t.is((await ask(gone, '/v2/os/installer/manifests/latest')).status, 503);
  t.is((await ask(gone, '/healthz')).status, 200);
  const none = await ask(await runningFactory(t), '/v2/os/installer/manifests/latest');
  t.is(none.status, 404);
  t.regex(none.body.toString(), /this factory has no source registry/);
});

test('a source registry takes a scope of its own', async (t) => {
  const running = await guardedFactory(t);
  const pull = await tokenOf(running, 'ann', ['source:pull']);
  const read = await tokenOf(running, 'ann', ['image:read']);
  const status = async (token: string): Promise<number> =>
    (await ask(running, '/v2/os/installer/manifests/latest', { headers: bearer(token) })).status;
  t.is(await status(pull), 404);
  t.is(await status(read), 403);
});
