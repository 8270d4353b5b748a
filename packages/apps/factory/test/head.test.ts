import { request } from 'node:http';

import test from 'ava';

import { ask, type Running, runningFactory, submit } from './running-factory.ts';

/** What an answer says before its body, which is left alone; without what is of this answer alone. */
async function headOf({ factory }: Running, path: string, method: 'GET' | 'HEAD'): Promise<object> {
  const { promise, resolve, reject } = Promise.withResolvers<object>();
  const { host, port } = factory.address;
  const asked = request({ host, port, path, method, agent: false }, ({ statusCode, headers }) => {
    const { date: _date, 'x-request-id': _id, ...others } = headers;
    resolve({ status: statusCode, ...others });
    asked.destroy();
  });
  asked.on('error', reject).end();
  return await promise;
}

test('HEAD says of everything what GET says', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const image = `/image/${id}/v1.14.0`;
  const disks = ['raw', 'raw.zst', 'raw.gz', 'raw.xz', 'raw.tar.gz', 'qcow2', 'vhd', 'ova', 'iso'];
  const other = ['-uki.efi', '.iso.sha256', '.raw.sha512', '.raw.zst.sha256', '.iso.sigstore.json', '.rav'];
  const tag = `/v2/metal-installer/${id}/manifests/v1.14.0`;
  const { body } = await ask(running, tag);
  const index = JSON.parse(body.toString()) as { readonly manifests: readonly { readonly digest: string }[] };
  const manifest = `/v2/metal-installer/${id}/manifests/${index.manifests[0]?.digest}`;
  const { layers, config } = JSON.parse((await ask(running, manifest)).body.toString());
  for (const path of [
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/openapi.yaml',
    '/llms.txt',
    '/robots.txt',
    '/versions',
    '/version/v1.14.0/extensions/official',
    '/version/v9.9.9/extensions/official',
    '/osctl/v1.14.0',
    '/osctl/v1.14.0/osctl-linux-amd64',
    `/schematics/${id}`,
    ...disks.map((form) => `${image}/metal-amd64.${form}`),
    ...other.map((rest) => `${image}/metal-amd64${rest}`),
    ...['kernel-amd64', 'initramfs-amd64.xz', 'cmdline-metal-amd64', 'installer-amd64.tar'].map(
      (name) => `${image}/${name}`,
    ),
    `/pxe/${id}/v1.14.0/metal-amd64`,
    '/',
    '/oci/cosign/signing-key.pub',
    '/ui/style.css',
    '/ui/api',
    '/v2/',
    tag,
    manifest,
    ...[config, ...layers].map(({ digest }) => `/v2/metal-installer/${id}/blobs/${digest}`),
    `/v2/metal-installer/${id}/tags/list`,
    '/nothing',
  ]) {
    const said = await headOf(running, path, 'GET');
    t.deepEqual(await headOf(running, path, 'HEAD'), said, path);
    t.true('content-length' in said, path);
  }
});
