import { once } from 'node:events';
import { readFile, readdir, stat } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { copyImage, fetchImage } from '../src/image.ts';

const image = Buffer.concat([Buffer.from('first'), Buffer.alloc(4 << 20), Buffer.from('last')]);

async function factory(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/image.raw`;
}

test('an image is fetched once while it is the same one, with holes where it is blank', async (t) => {
  const asked: string[] = [];
  let etag = '"one"';
  const url = await factory(t, (request, response) => {
    asked.push(`${request.method} ${request.headers.authorization ?? ''}`);
    response.writeHead(200, { etag, 'content-length': image.length });
    response.end(request.method === 'HEAD' ? undefined : image);
  });
  const cache = await temporaryDirectory(t);
  const fetched = (): Promise<string> =>
    fetchImage({ url, auth: 'user:secret' }, cache, () => {}, AbortSignal.timeout(60_000));
  const path = await fetched();
  t.true((await readFile(path)).equals(image));
  t.true((await stat(path)).blocks * 512 < image.length / 2);
  t.is(await fetched(), path);
  const basic = `Basic ${Buffer.from('user:secret').toString('base64')}`;
  t.deepEqual(asked, [`HEAD ${basic}`, `GET ${basic}`, `HEAD ${basic}`]);
  etag = '"two"';
  t.not(await fetched(), path);
  const disk = join(cache, 'one.disk');
  await copyImage(path, disk, 8 << 20);
  t.is((await stat(disk)).size, 8 << 20);
  t.true((await readFile(disk)).subarray(0, image.length).equals(image));
  await t.throwsAsync(copyImage(path, disk, 1 << 20), {
    code: 'ERR_CLUSTER_IMAGE',
    message: /larger first one/,
  });
});

test('an image that ends early is no image, and leaves nothing', async (t) => {
  const url = await factory(t, (request, response) => {
    response.writeHead(200, { etag: '"one"', ...(request.method === 'HEAD' && { 'content-length': 9 }) });
    if (request.method === 'HEAD') response.end();
    else response.write('half', () => response.destroy());
  });
  const cache = await temporaryDirectory(t);
  const signal = AbortSignal.timeout(60_000);
  await t.throwsAsync(fetchImage({ url }, cache, () => {}, signal));
  t.deepEqual(await readdir(cache), []);
  const refused = { code: 'ERR_CLUSTER_IMAGE', message: /does not answer: start one/ };
  await t.throwsAsync(
    fetchImage({ url: 'http://127.0.0.1:1/x' }, cache, () => {}, signal),
    refused,
  );
});

test('a factory that refuses is quoted', async (t) => {
  const url = await factory(t, (_request, response) => {
    response.writeHead(404).end('no such schematic: submit it first');
  });
  const cache = await temporaryDirectory(t);
  await t.throwsAsync(
    fetchImage({ url }, cache, () => {}, AbortSignal.timeout(60_000)),
    {
      code: 'ERR_CLUSTER_IMAGE',
      message: /404: no such schematic: submit it first$/,
    },
  );
});
