import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { digestOf, layerFiles, type Manifest, parseReference, RegistryClient } from '@nodecore/oci';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { startFactory } from '../src/index.ts';
import { dockerRegistry } from './docker-registry.ts';
import { ask, contents, factoryOptions, runningFactory, submit, writeRelease } from './running-factory.ts';

const run = promisify(execFile);
const platform = { os: 'linux', architecture: 'amd64' };

/** The layers of an installer, one behind the other. */
async function* archiveOf(client: RegistryClient, repository: string, { layers }: Manifest) {
  for (const layer of layers) yield* client.blob(repository, layer);
}

test('an installer is pulled from the factory, and its manifest is signed by the key that nodes have', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const host = `127.0.0.1:${running.factory.address.port}`;
  const reference = parseReference(`${host}/metal-installer/${id}:v1.14.0`);
  const client = new RegistryClient(host);
  const { manifest } = await client.image(reference, platform);
  const files = new Map<string, Buffer>();
  for await (const { path, content } of layerFiles(archiveOf(client, reference.repository, manifest)))
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

test('the manifest of an installer has the digests that the release was signed with, for every schematic, and none is worked out', async (t) => {
  const running = await runningFactory(t);
  const base = join(running.options.releases, 'v1.14.0/amd64/base.sqsh');
  const { atime, mtime } = await stat(base);
  await utimes(base, atime, new Date(mtime.getTime() + 1_000)); // whoever reads it now is told that it changed
  const manifests = [];
  for (const schematic of ['{}', 'customization: {extraKernelArgs: [quiet]}']) {
    const id = await submit(running, schematic);
    const index = await ask(running, `/v2/metal-installer/${id}/manifests/v1.14.0`);
    t.is(index.status, 200, index.body.toString());
    const [{ digest }] = (JSON.parse(index.body.toString()) as { manifests: [{ digest: string }] }).manifests;
    const { body } = await ask(running, `/v2/metal-installer/${id}/manifests/${digest}`);
    manifests.push(JSON.parse(body.toString()) as Manifest);
  }
  const [first = [], second = []] = manifests.map(({ layers }) => layers.map(({ digest }) => digest));
  const signed = digestOf(contents['base.sqsh']!);
  t.true(first.includes(signed));
  t.deepEqual(
    first.filter((digest) => second.includes(digest)),
    [signed],
  );
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

test('an installer is there for each architecture of its release, and for what the release can make of a schematic', async (t) => {
  const { directory: _, ...options } = await factoryOptions(t);
  const tools = { 'os/tools': Buffer.from('hsqs') };
  await writeRelease(options.releases, 'v1.14.1', tools, {}, { architectures: ['amd64', 'arm64'] });
  await writeRelease(options.releases, 'v1.14.2', {}, {}, { architectures: ['arm64'] });
  const running = await runningFactory(t, options);
  const host = `127.0.0.1:${running.factory.address.port}`;
  const plain = await submit(running, '{}');
  const withTools = await submit(
    running,
    '{"customization":{"systemExtensions":{"officialExtensions":["os/tools"]}}}',
  );
  const offered = async (name: string, id: string, version: string): Promise<unknown> => {
    const { status, body } = await ask(running, `/v2/${name}/${id}/manifests/${version}`);
    if (status !== 200) return status;
    const { manifests } = JSON.parse(body.toString()) as { manifests: { platform: object }[] };
    return manifests.map((each) => Object.values(each.platform).join('/'));
  };
  t.deepEqual(await offered('metal-installer', plain, 'v1.14.1'), ['linux/amd64', 'linux/arm64']);
  t.deepEqual(await offered('metal-installer', plain, 'v1.14.2'), ['linux/arm64']);
  t.deepEqual(
    await offered('hcloud-installer', plain, 'v1.14.1'),
    ['linux/amd64'],
    'the platform has no other',
  );
  t.is(await offered('hcloud-installer', plain, 'v1.14.2'), 404);
  t.deepEqual(
    await offered('metal-installer', withTools, 'v1.14.1'),
    ['linux/amd64'],
    'the extension is of one',
  );
  t.is(await offered('metal-installer', withTools, 'v1.14.2'), 400);
  const client = new RegistryClient(host);
  const reference = parseReference(`${host}/metal-installer/${plain}:v1.14.1`);
  for (const architecture of ['amd64', 'arm64']) {
    const { manifest } = await client.image(reference, { os: 'linux', architecture });
    for await (const { path, content } of layerFiles(archiveOf(client, reference.repository, manifest)))
      if (path === 'install/manifest.json') {
        const about = JSON.parse(Buffer.concat(await Array.fromAsync(content)).toString()) as object;
        t.like(about, { arch: architecture, kernel: `6.1.0-50-${architecture}` });
      } else await Array.fromAsync(content);
  }
  const { body } = await ask(running, `/v2/metal-installer/${plain}/manifests/v1.14.1`);
  for (const { digest } of (JSON.parse(body.toString()) as { manifests: { digest: string }[] }).manifests) {
    const said = await ask(running, `/v2/metal-installer/${plain}/referrers/${digest}`);
    t.is((JSON.parse(said.body.toString()) as { manifests: object[] }).manifests.length, 1, 'its signature');
  }
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

testWith(program('docker-registry'), program('skopeo'))(
  'a registry that keeps for others what it is asked for has installers as they are, also when the factory is gone',
  async (t) => {
    const running = await runningFactory(t);
    const repository = `metal-installer/${await submit(running, '{}')}`;
    const { host, port } = running.factory.address;
    const between = await dockerRegistry(t, { remote: `http://${host}:${port}` });
    const directory = await temporaryDirectory(t);
    const pull = async (from: string, name: string): Promise<string> => {
      const layout = join(directory, name);
      const copy = ['copy', '--all', '--preserve-digests', '--src-tls-verify=false'];
      await run('skopeo', [...copy, `docker://${from}/${repository}:v1.14.0`, `oci:${layout}:v1.14.0`]);
      return await readFile(join(layout, 'index.json'), 'utf8');
    };
    const index = await pull(`${host}:${port}`, 'direct');
    t.is(await pull(between, 'first'), index);
    await running.factory.close();
    t.is(await pull(between, 'second'), index);
  },
);
