import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { digestOf, formatManifest, mediaTypes, RegistryClient } from '@nodecore/oci';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { dockerRegistry } from '../../../../apps/factory/test/docker-registry.ts';
import { pulledRoot } from '../../src/container/pulled-root.ts';

const test = testWith(program('docker-registry'));
const agent = 'usr/lib/nodeos/agent.arguments';

/** A layer with these files. */
async function layerOf(t: ExecutionContext, files: Readonly<Record<string, string>>): Promise<Buffer> {
  const from = await temporaryDirectory(t);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(from, path, '..'), { recursive: true });
    await writeFile(join(from, path), text);
  }
  const { stdout } = await promisify(execFile)('tar', ['-C', from, '-c', '.'], { encoding: 'buffer' });
  return gzipSync(stdout);
}

/** Gives a registry an image `node:v1`. @returns its digest */
async function push(host: string, layers: readonly Buffer[]): Promise<string> {
  const client = new RegistryClient(host);
  const blob = async (mediaType: string, bytes: Buffer) => {
    const descriptor = { mediaType, digest: digestOf(bytes), size: bytes.length };
    await client.pushBlob('node', descriptor, async function* () {
      yield bytes;
    });
    return descriptor;
  };
  const config = await blob(mediaTypes.config, Buffer.from('{"architecture":"amd64","os":"linux"}'));
  const descriptors = [];
  for (const layer of layers) descriptors.push(await blob(mediaTypes.layerGzip, layer));
  const mediaType = mediaTypes.manifest;
  const bytes = formatManifest({ mediaType, config, layers: descriptors });
  await client.pushManifest('node', 'v1', { bytes, mediaType });
  return digestOf(bytes);
}

test('an image of a registry is unpacked once for each digest, and a tag is asked for each time', async (t) => {
  const host = await dockerRegistry(t);
  const cache = await temporaryDirectory(t);
  const said: string[] = [];
  const pull = async (name: string): Promise<string> =>
    await pulledRoot(
      `docker://${host}/${name}`,
      cache,
      (line) => said.push(line),
      new AbortController().signal,
    );
  const first = await push(host, [
    await layerOf(t, { [agent]: '1', etc: 'x' }),
    await layerOf(t, { [agent]: '2' }),
  ]);
  const tree = await pull('node:v1');
  t.is(await readFile(join(tree, agent), 'utf8'), '2');
  t.is(await pull('node:v1'), tree);
  t.is(said.length, 1);
  await push(host, [await layerOf(t, { [agent]: '3' })]);
  t.is(await readFile(join(await pull('node:v1'), agent), 'utf8'), '3');
  t.is(await pull(`node@${first}`), tree);
  t.is((await readdir(join(cache, 'roots'))).length, 2);
});

test('what is no node OS, is not there, or can’t be asked for, leaves nothing in the cache', async (t) => {
  const host = await dockerRegistry(t);
  const cache = await temporaryDirectory(t);
  await push(host, [await layerOf(t, { 'etc/passwd': 'root' })]);
  for (const [name, why] of [
    [`${host}/node:v1`, /is no image of the node OS: it has no \/usr\/lib\/nodeos\/agent\.arguments/],
    [`${host}/node:v2`, /node:v2/],
    [`${host}/other:v1`, /other:v1/],
    ['127.0.0.1:1/node:v1', /127\.0\.0\.1:1/],
  ] as const)
    await t.throwsAsync(
      pulledRoot(`docker://${name}`, cache, () => {}, new AbortController().signal),
      {
        code: 'ERR_CLUSTER_IMAGE',
        message: why,
      },
    );
  t.deepEqual(await readdir(join(cache, 'roots')), []);
});
