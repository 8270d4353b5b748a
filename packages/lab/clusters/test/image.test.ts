import { once } from 'node:events';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { copyDiskImage } from '../src/disk-copy.ts';
import { openPart } from '../src/image-part.ts';
import { fetchImage } from '../src/image.ts';

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
  await copyDiskImage(path, disk, { sizeBytes: 8 << 20 });
  t.is((await stat(disk)).size, 8 << 20);
  t.true((await readFile(disk)).subarray(0, image.length).equals(image));
  await t.throwsAsync(copyDiskImage(path, disk, { sizeBytes: 1 << 20 }), {
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

test('the image of a disk is kept as what zstd has packed, of however many frames, and nothing of one that ends early', async (t) => {
  const packed = Buffer.concat([zstdCompressSync(image), zstdCompressSync(image)]);
  const told: string[] = [];
  let bytes = packed;
  const url = await factory(t, (request, response) => {
    response.writeHead(200, { etag: '"one"' });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  });
  const cache = await temporaryDirectory(t);
  const source = { url: `${url}?token=hidden`, unpacks: true } as const;
  const signal = AbortSignal.timeout(60_000);
  const path = await fetchImage(source, cache, (line) => told.push(line), signal);
  const whole = Buffer.concat([image, image]);
  t.true((await readFile(path)).equals(whole));
  t.true((await stat(path)).blocks * 512 < whole.length / 2);
  t.deepEqual(told, [`image ${url}?…`], 'what is told is stored, and holds no token');
  const file = join(cache, 'disk.raw.zst');
  await writeFile(file, packed);
  const disk = join(cache, 'one.disk');
  await copyDiskImage(file, disk, { sizeBytes: 16 << 20 });
  t.true((await readFile(disk)).subarray(0, whole.length).equals(whole));
  const small = { code: 'ERR_CLUSTER_IMAGE', message: /more than the 4194304 bytes of the disk/ };
  await t.throwsAsync(copyDiskImage(file, `${disk}.small`, { sizeBytes: 4 << 20 }), small);
  bytes = packed.subarray(0, packed.length - 3);
  const early = await temporaryDirectory(t);
  const ended = { code: 'ERR_CLUSTER_IMAGE', message: /can't be unpacked/ };
  await t.throwsAsync(
    fetchImage(source, early, () => {}, signal),
    ended,
  );
  t.deepEqual(await readdir(early), []);
});

test('an image is kept by the tag of what came, once for two that want it, and without what the killed have left', async (t) => {
  const cache = await temporaryDirectory(t);
  await writeFile(join(cache, 'left.raw.part'), 'of a process that is gone');
  const held = await openPart(join(cache, 'held.raw'), t.fail, AbortSignal.timeout(60_000));
  t.teardown(() => held.close());
  let got = 0;
  const url = await factory(t, (request, response) => {
    // Another image takes the place of the one that was asked about.
    response.writeHead(200, { etag: request.method === 'HEAD' && got === 0 ? '"one"' : '"two"' });
    if (request.method !== 'HEAD') got += 1;
    response.end(request.method === 'HEAD' ? undefined : image);
  });
  const fetched = (): Promise<string> => fetchImage({ url }, cache, () => {}, AbortSignal.timeout(60_000));
  const first = await fetched();
  t.is(await fetched(), first, 'it is the second one');
  t.is(got, 1);
  t.deepEqual((await readdir(cache)).toSorted(), [basename(first), 'held.raw.part'].toSorted());
  await rm(first);
  t.deepEqual(await Promise.all([fetched(), fetched()]), [first, first]);
  t.is(got, 2);
});
