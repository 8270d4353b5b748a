import type { IncomingMessage, ServerResponse } from 'node:http';

import test from 'ava';

import { digestOf, mediaTypes, RegistryClient } from '../src/index.ts';
import { layer, layerDescriptor, listen, manifest } from './running-registry.ts';

const chunks = [layer.subarray(0, 40_000), layer.subarray(40_000, 80_000), layer.subarray(80_000)];

async function* content(): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
}

type Took = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};

/** A registry that has nothing and takes everything; `put` answers in place of it. */
function taking(
  took: Took[],
  location: () => string,
  put?: (request: IncomingMessage, response: ServerResponse) => void,
) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    if (method === 'PUT' && put !== undefined) return put(request, response);
    const body = await bodyOf(request);
    took.push({ method, url, headers, body });
    if (method === 'HEAD') response.statusCode = 404;
    else response.statusCode = method === 'POST' ? 202 : 201;
    if (method === 'POST') response.setHeader('location', location());
    response.end();
  };
}

test('a blob goes where the registry says, with its length, and one that is there does not go', async (t) => {
  const took: Took[] = [];
  const host = await listen(
    t,
    taking(took, () => '/v2/a/b/blobs/uploads/1?state=x%3D'),
  );
  t.true(await new RegistryClient(host).pushBlob('a/b', layerDescriptor, content));
  t.deepEqual(
    took.map(({ method }) => method),
    ['HEAD', 'POST', 'PUT'],
  );
  const { url, headers, body } = took[2]!;
  t.is(url, `/v2/a/b/blobs/uploads/1?state=x%3D&digest=${encodeURIComponent(layerDescriptor.digest)}`);
  t.is(headers['content-length'], `${layer.length}`);
  t.deepEqual(body, layer);
  const full = await listen(t, (request, response) => {
    t.is(request.method, 'HEAD');
    response.end();
  });
  t.false(await new RegistryClient(full).pushBlob('a/b', layerDescriptor, content));
});

test('what is not the blob does not go to its end, and the reason is told', async (t) => {
  const ended: string[] = [];
  const host = await listen(
    t,
    taking(
      [],
      () => '/upload',
      (request, response) => {
        request.on('end', () => ended.push('all of it'));
        request.on('error', () => {});
        request.resume().on('end', () => response.writeHead(201).end());
      },
    ),
  );
  const client = new RegistryClient(host);
  const wrong = [...chunks.slice(0, 2), Buffer.alloc(chunks[2]!.length)];
  const push = (of: readonly Uint8Array[]) =>
    client.pushBlob('a/b', layerDescriptor, async function* () {
      yield* of;
    });
  await t.throwsAsync(push(wrong), { code: 'ERR_OCI_DIGEST' });
  await t.throwsAsync(push(chunks.slice(0, 2)), { code: 'ERR_OCI_DIGEST' });
  await t.throwsAsync(push([...chunks, Buffer.from('more')]), { code: 'ERR_OCI_DIGEST' });
  const failing = client.pushBlob('a/b', layerDescriptor, async function* () {
    yield chunks[0]!;
    throw new Error('the disk');
  });
  await t.throwsAsync(failing, { message: 'the disk' });
  t.deepEqual(ended, []);
});

test('credentials go to the registry alone, and to no address that it gives', async (t) => {
  const elsewhere: Took[] = [];
  const other = await listen(
    t,
    taking(elsewhere, () => ''),
  );
  const took: Took[] = [];
  const take = taking(took, () => `http://${other}/upload`);
  const host = await listen(t, async (request, response) => {
    if (request.headers.authorization !== undefined) return await take(request, response);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  });
  const client = new RegistryClient(host, { credentials: { username: 'me', password: 'secret' } });
  await client.pushBlob('a/b', layerDescriptor, content);
  t.deepEqual(
    took.map(({ method }) => method),
    ['HEAD', 'POST'],
  );
  t.deepEqual(elsewhere[0]?.body, layer);
  t.is(elsewhere[0]?.headers.authorization, undefined);
});

test('a registry that names no place, a place in plain text far away, or another manifest, is refused', async (t) => {
  let location = '';
  const host = await listen(t, async (request, response) => {
    await bodyOf(request);
    if (request.method === 'HEAD') response.writeHead(404).end();
    else if (request.method === 'POST') response.writeHead(202, location === '' ? {} : { location }).end();
    else response.writeHead(201, { 'docker-content-digest': digestOf(Buffer.from('x')) }).end();
  });
  const client = new RegistryClient(host);
  const push = () => client.pushBlob('a/b', layerDescriptor, content);
  await t.throwsAsync(push(), { code: 'ERR_OCI_ANSWER', message: /where a blob goes/ });
  location = 'http://registry.example.com/upload';
  await t.throwsAsync(push(), { code: 'ERR_OCI_INSECURE' });
  const sent = { bytes: manifest, mediaType: mediaTypes.manifest };
  await t.throwsAsync(client.pushManifest('a/b', 'v1', sent), { code: 'ERR_OCI_DIGEST' });
});

test('a registry that takes nothing more is given up', async (t) => {
  const host = await listen(
    t,
    taking(
      [],
      () => '/upload',
      () => {},
    ),
  );
  const client = new RegistryClient(host, { silenceMs: 50 });
  await t.throwsAsync(client.pushBlob('a/b', layerDescriptor, content), {
    code: 'ERR_OCI_UNAVAILABLE',
    message: /takes nothing/,
  });
});
