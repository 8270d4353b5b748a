import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { layerFiles, parseReference, RegistryClient } from '@nodecore/oci';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { startFactory } from '../src/index.ts';
import { ask, contents, factoryOptions, runningFactory, submit, writeRelease } from './running-factory.ts';

const run = promisify(execFile);
const platform = { os: 'linux', architecture: 'amd64' };

test('an installer is pulled from the factory, and its manifest is signed by the key that nodes have', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const host = `127.0.0.1:${running.factory.address.port}`;
  const reference = parseReference(`${host}/metal-installer/${id}:v1.14.0`);
  const client = new RegistryClient(host);
  const { manifest } = await client.image(reference, platform);
  const files = new Map<string, Buffer>();
  for await (const { path, content } of layerFiles(client.blob(reference.repository, manifest.layers[0]!)))
    files.set(path, Buffer.concat(await Array.fromAsync(content)));
  t.deepEqual(
    [...files.keys()],
    [
      'install/manifest.json',
      'install/manifest.json.sig',
      'install/nodeos.uki.efi',
      'install/systemd-boot.efi',
      'install/grub-core.img',
      'install/grub-boot.img',
    ],
  );
  const signed = files.get('install/manifest.json')!;
  t.like(JSON.parse(signed.toString()), {
    version: 'v1.14.0',
    imageVersion: '1.14.0',
    arch: 'amd64',
    kernel: '6.1.0-50-amd64',
    minimumVersion: 'v1.14.0-alpha.0',
    schematic: id,
    secureBoot: false,
    files: { 'systemd-boot.efi': { size: contents['systemd-boot.efi']!.length } },
  });
  const key = createPublicKey(await readFile(join(running.options.storage, 'installer.key')));
  t.true(verify(null, signed, key, files.get('install/manifest.json.sig')!));
  t.deepEqual(files.get('install/systemd-boot.efi'), contents['systemd-boot.efi']);
});

test('what was found by tag is there by digest in a factory that has just started', async (t) => {
  const first = await runningFactory(t);
  const id = await submit(first, '{}');
  const path = (reference: string): string => `/v2/metal-installer/${id}/manifests/${reference}`;
  const { headers } = await ask(first, path('v1.14.0-alpha.0'), { method: 'HEAD' });
  await first.factory.close();
  const factory = await startFactory(first.options);
  t.teardown(() => factory.close());
  t.is((await ask({ factory }, path(String(headers['docker-content-digest'])))).status, 200);
});

test('what an older release has is there by digest, although a newer one can not make the schematic', async (t) => {
  const { directory: _, ...options } = await factoryOptions(t);
  await writeRelease(options.releases, 'v1.14.1', { 'os/tools': Buffer.from('hsqs') });
  await writeRelease(options.releases, 'v1.14.2');
  const running = await runningFactory(t, options);
  const id = await submit(
    running,
    '{"customization":{"systemExtensions":{"officialExtensions":["os/tools"]}}}',
  );
  const path = (reference: string): string => `/v2/metal-installer/${id}/manifests/${reference}`;
  const { headers } = await ask(running, path('v1.14.1'), { method: 'HEAD' });
  t.is((await ask(running, path(String(headers['docker-content-digest'])))).status, 200);
  t.is((await ask(running, path('v1.14.2'))).status, 400);
});

test('tags are versions, latest is the newest that is no pre-release, and others are not there', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const tags = await ask(running, `/v2/metal-installer/${id}/tags/list`);
  t.deepEqual(JSON.parse(tags.body.toString()).tags, ['v1.14.0', 'v1.14.0-alpha.0']);
  const digest = async (tag: string): Promise<unknown> =>
    (await ask(running, `/v2/metal-installer/${id}/manifests/${tag}`, { method: 'HEAD' })).headers[
      'docker-content-digest'
    ];
  t.is(await digest('latest'), await digest('v1.14.0'));
  t.not(await digest('v1.14.0'), await digest('v1.14.0-alpha.0'));
  for (const path of [
    `metal-installer/${'0'.repeat(64)}/manifests/v1.14.0`,
    `metal-installer-secureboot/${id}/manifests/v1.14.0`,
    `other/${id}/manifests/v1.14.0`,
    `metal-installer/${id}/manifests/v1.15.0`,
  ])
    t.is((await ask(running, `/v2/${path}`)).status, 404, path);
});

test('the installer of a platform is one of its own, and its repository is in small letters', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const digests = await Promise.all(
    ['installer', 'metal-installer', 'digital-ocean-installer', 'equinixmetal-installer'].map(
      async (name) => {
        const path = `/v2/${name}/${id}/manifests/v1.14.0`;
        const { status, headers } = await ask(running, path, { method: 'HEAD' });
        t.is(status, 200, name);
        return headers['docker-content-digest'];
      },
    ),
  );
  t.is(digests[0], digests[1]);
  t.is(new Set(digests).size, 3);
  t.is((await ask(running, `/v2/azur-installer/${id}/manifests/v1.14.0`)).status, 404);
});

test('the archive of an installer is one that skopeo reads', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const { body } = await ask(running, `/image/${id}/v1.14.0/installer-amd64.tar`);
  const archive = join(await temporaryDirectory(t), 'installer.tar');
  await writeFile(archive, body);
  const fromArchive = JSON.parse((await run('skopeo', ['inspect', `oci-archive:${archive}`])).stdout);
  const reference = `docker://127.0.0.1:${running.factory.address.port}/metal-installer/${id}:v1.14.0`;
  const fromRegistry = JSON.parse((await run('skopeo', ['inspect', '--tls-verify=false', reference])).stdout);
  t.deepEqual(fromArchive.Layers, fromRegistry.Layers);
  t.is(fromArchive.Digest, fromRegistry.Digest);
});
