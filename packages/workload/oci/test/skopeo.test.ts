import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import test from 'ava';

import { digestOf } from '../src/index.ts';
import { layer, layerDescriptor, listen, manifest, serve } from './running-registry.ts';

const run = promisify(execFile);

test('skopeo reads our registry, and copies an image out of it byte for byte', async (t) => {
  const host = await listen(t, serve);
  const directory = await mkdtemp(join(tmpdir(), 'oci-test-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const { stdout } = await run('skopeo', ['inspect', '--tls-verify=false', `docker://${host}/a/b:v1`]);
  t.like(JSON.parse(stdout), {
    Digest: digestOf(manifest),
    RepoTags: ['v1', 'v2', 'v3'],
    Os: 'linux',
    Architecture: 'amd64',
  });
  await run('skopeo', [
    'copy',
    '--insecure-policy',
    '--src-tls-verify=false',
    `docker://${host}/a/b:v1`,
    `dir:${directory}`,
  ]);
  t.deepEqual(await readFile(join(directory, layerDescriptor.digest.slice(7))), layer);
  t.deepEqual(await readFile(join(directory, 'manifest.json')), manifest);
});
