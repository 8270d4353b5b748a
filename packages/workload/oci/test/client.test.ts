import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import {
  digestOf,
  downloadBlob,
  endpointOf,
  layerFiles,
  parseReference,
  RegistryClient,
} from '../src/index.ts';
import { layer, layerDescriptor, listen, manifest, serve } from './running-registry.ts';

const platform = { os: 'linux', architecture: 'amd64' };

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks));
}

async function temporary(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'oci-test-'));
  t.teardown(() => rm(directory, { recursive: true }));
  return directory;
}

test('an image is pulled by its tag, and its files come out of the layer', async (t) => {
  const host = await listen(t, serve);
  const client = new RegistryClient(host);
  const { manifest: found, digest } = await client.image(parseReference(`${host}/a/b:v1`), platform);
  t.is(digest, digestOf(manifest));
  const files: string[] = [];
  for await (const { path, size, content } of layerFiles(client.blob('a/b', found.layers[0]!)))
    files.push(`${path} ${size} ${(await all(content)).length}`);
  t.deepEqual(files, ['install/one 3 3', 'install/two 100000 100000']);
});

test('what has another digest than was asked for is an error, and so is more or less of it', async (t) => {
  let body = Buffer.from('x');
  const host = await listen(t, (_request, response) => void response.end(body));
  const client = new RegistryClient(host);
  const wrong = { code: 'ERR_OCI_DIGEST' };
  await t.throwsAsync(client.manifest('a/b', digestOf(manifest)), wrong);
  await t.throwsAsync(all(client.blob('a/b', layerDescriptor)), wrong);
  body = Buffer.concat([layer, Buffer.from('more')]);
  await t.throwsAsync(all(client.blob('a/b', layerDescriptor)), wrong);
  body = Buffer.from(layer).fill(1, 0, 1);
  await t.throwsAsync(all(client.blob('a/b', layerDescriptor)), wrong);
});

test('a manifest without end is given up', async (t) => {
  const host = await listen(t, (_request, response) => {
    const more = (): void => void (response.destroyed || response.write(Buffer.alloc(1 << 20), more));
    more();
  });
  await t.throwsAsync(new RegistryClient(host).manifest('a/b', 'v1'), { code: 'ERR_OCI_MANIFEST' });
});

test('a registry that falls silent, or hangs up, is unavailable', async (t) => {
  const host = await listen(t, (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('some');
    if (request.url?.endsWith('hangup') === true) setImmediate(() => response.destroy());
  });
  const client = new RegistryClient(host, { silenceMs: 50 });
  await t.throwsAsync(client.manifest('a/b', 'silent'), { code: 'ERR_OCI_UNAVAILABLE', message: /silent/ });
  await t.throwsAsync(client.manifest('a/b', 'hangup'), { code: 'ERR_OCI_UNAVAILABLE' });
});

test('its answers have codes', async (t) => {
  const host = await listen(t, (request, response) => {
    response.writeHead(Number(request.url?.split('/').at(-1)));
    response.end();
  });
  const client = new RegistryClient(host);
  for (const [status, code] of [
    ['404', 'NOT_FOUND'],
    ['403', 'DENIED'],
    ['401', 'DENIED'],
    ['503', 'UNAVAILABLE'],
    ['418', 'ANSWER'],
  ] as const)
    await t.throwsAsync(client.manifest('a/b', status), { code: `ERR_OCI_${code}` });
});

test('a token is fetched with the password, and asked for once', async (t) => {
  let tokens = 0;
  const host = await listen(t, async (request, response) => {
    const { authorization } = request.headers;
    if (request.url?.startsWith('/token') === true) {
      tokens += 1;
      t.is(authorization, `Basic ${Buffer.from('ann:secret').toString('base64')}`);
      t.is(new URL(request.url, 'http://x').searchParams.get('scope'), 'repository:a/b:pull');
      response.end('{"token":"T1"}');
    } else if (authorization === 'Bearer T1') await serve(request, response);
    else
      response
        .writeHead(401, { 'www-authenticate': `Bearer realm="http://${host}/token",service="s"` })
        .end();
  });
  const client = new RegistryClient(host, { credentials: { username: 'ann', password: 'secret' } });
  await client.manifest('a/b', 'v1');
  t.deepEqual(await all(client.blob('a/b', layerDescriptor)), layer);
  t.is(tokens, 1);
});

test('credentials go to nobody else, and nothing goes far in plain text', async (t) => {
  const seen: (string | undefined)[] = [];
  const other = await listen(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.end(layer);
  });
  let location = '';
  const host = await listen(t, (request, response) => {
    if (request.headers.authorization === undefined)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
    else response.writeHead(307, { location }).end();
  });
  const client = new RegistryClient(host, { credentials: { username: 'ann', password: 'secret' } });
  location = `http://${other}/blob`;
  t.deepEqual(await all(client.blob('a/b', layerDescriptor)), layer);
  t.deepEqual(seen, [undefined]);
  for (location of ['http://registry.example.com/', 'file:///etc/passwd', 'http://169.254.169.254/'])
    await t.throwsAsync(all(client.blob('a/b', layerDescriptor)), { code: 'ERR_OCI_INSECURE' }, location);
  location = `http://${host}/again`;
  await t.throwsAsync(all(client.blob('a/b', layerDescriptor)), { code: 'ERR_OCI_ANSWER' });

  const realm = await listen(
    t,
    (_request, response) =>
      void response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${other}/token"` }).end(),
  );
  const asked = new RegistryClient(realm, { credentials: { username: 'ann', password: 'secret' } });
  await t.throwsAsync(asked.manifest('a/b', 'v1'), { code: 'ERR_OCI_INSECURE' });
  t.is(seen.length, 1);
});

test('a host that a registry points to gets no credentials by asking for them, nor does anybody whom it names', async (t) => {
  const seen: string[] = [];
  const host = await listen(t, (request, response) => {
    seen.push(`${request.url}`);
    if (request.url?.startsWith('/token') === true) response.end('{"token":"t"}');
    else response.writeHead(307, { location: `http://${other}/blob` }).end();
  });
  const asked: (string | undefined)[] = [];
  const challenges = ['Basic realm="r"', `Bearer realm="http://${host}/token",service="x"`];
  let challenge = '';
  const other = await listen(t, (request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(401, { 'www-authenticate': challenge }).end();
  });
  for (challenge of challenges) {
    const client = new RegistryClient(host, { credentials: { username: 'ann', password: 'secret' } });
    await t.throwsAsync(all(client.blob('a/b', layerDescriptor)), {
      code: 'ERR_OCI_DENIED',
      message: `${other}: it wants credentials, and is not the registry`,
    });
  }
  t.deepEqual(asked, [undefined, undefined]);
  t.false(seen.some((path) => path.startsWith('/token')));
});

test('plain text is for addresses that are near', (t) => {
  for (const near of [
    '127.0.0.1:8081',
    'localhost',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1:80',
    '[::1]:8081',
    '[fd00::1]',
  ])
    t.is(endpointOf(near).protocol, 'http:', near);
  for (const far of [
    'registry.example.com',
    '8.8.8.8',
    '172.32.0.1',
    '169.254.169.254',
    '[2001:db8::1]',
    '10.1.2.3.example.com',
  ])
    t.is(endpointOf(far).protocol, 'https:', far);
});

test('a download goes on where it was cut off, and begins anew when what is there is wrong', async (t) => {
  const ranges: (string | undefined)[] = [];
  const host = await listen(t, async (request, response) => {
    ranges.push(request.headers.range);
    await serve(request, response);
  });
  const path = join(await temporary(t), 'blob');
  const client = new RegistryClient(host);
  await writeFile(`${path}.part`, layer.subarray(0, 70_000));
  await downloadBlob(client, 'a/b', layerDescriptor, path);
  t.deepEqual(await readFile(path), layer);
  t.deepEqual(ranges, ['bytes=70000-']);

  await writeFile(`${path}.part`, Buffer.alloc(70_000, 1));
  await t.throwsAsync(downloadBlob(client, 'a/b', layerDescriptor, path), { code: 'ERR_OCI_DIGEST' });
  t.is((await stat(`${path}.part`)).size, 0);
  await downloadBlob(client, 'a/b', layerDescriptor, path);
  t.deepEqual(await readFile(path), layer);
});

test('a registry without ranges sends all, and only the rest is taken', async (t) => {
  const host = await listen(t, (_request, response) => void response.end(layer));
  const path = join(await temporary(t), 'blob');
  await writeFile(`${path}.part`, layer.subarray(0, 70_000));
  await downloadBlob(new RegistryClient(host), 'a/b', layerDescriptor, path);
  t.deepEqual(await readFile(path), layer);
});

test('a registry that may be asked in plain text is asked so wherever it is, and nobody that it points to', async (t) => {
  let location = '';
  const here = await listen(t, (_request, response) => {
    if (location === '') response.end(layer);
    else response.writeHead(307, { location }).end();
  });
  // No address of a private network, and all the same this machine.
  const far = here.replace('127.0.0.1', '0.0.0.0');
  const code = 'ERR_OCI_UNAVAILABLE'; // it speaks no TLS
  await t.throwsAsync(all(new RegistryClient(far).blob('a/b', layerDescriptor)), { code });
  const client = new RegistryClient(far, { plain: true });
  t.deepEqual(await all(client.blob('a/b', layerDescriptor)), layer);
  location = 'http://registry.example.com/';
  await t.throwsAsync(all(client.blob('a/b', layerDescriptor)), { code: 'ERR_OCI_INSECURE' });
  t.is(endpointOf('docker.io').host, 'registry-1.docker.io');
});
