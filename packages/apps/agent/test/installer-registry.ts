import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { tarParts } from '@nodecore/oci';
import { installerPartType } from '@nodecore/schematic/release';
import type { ExecutionContext } from 'ava';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function halves(bytes: Buffer): readonly Buffer[] {
  const middle = bytes.length >> 1;
  return [bytes.subarray(0, middle), bytes.subarray(middle)];
}

/** A key that signs installer images, and its public half as the running image has it. */
export function installerKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { privateKey, pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

export type InstallerOptions = {
  readonly key?: ReturnType<typeof installerKey>;
  readonly version?: string;
  readonly uki?: Buffer;
  readonly loader?: Buffer;
  /** Files besides, by name below `install/`; the manifest names them. */
  readonly more?: Readonly<Record<string, Buffer>>;
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Cuts the boot image in its middle, and the archive into two layers. */
  readonly inParts?: boolean;
  /** Of the layers. */
  readonly mediaType?: string;
  /** Leaves files of the layer out, or changes them. */
  readonly change?: (files: Map<string, Buffer>) => void;
};

/** An installer image behind a registry on loopback. @returns its reference and digest. */
export async function serveInstaller(t: ExecutionContext, options: InstallerOptions = {}) {
  const { key, version = 'v1.14.1', uki = Buffer.from('another boot image') } = options;
  const { loader = Buffer.from('loader'), more = {}, inParts = false } = options;
  const { mediaType = inParts ? installerPartType : 'application/vnd.oci.image.layer.v1.tar' } = options;
  const about = (bytes: Buffer) => ({ size: bytes.length, sha256: sha256(bytes) });
  const manifest = Buffer.from(
    JSON.stringify({
      version,
      imageVersion: version.slice(1).replace('-', '~'),
      arch: 'amd64',
      kernel: '6.12.1',
      minimumVersion: 'v1.13.0',
      schematic: 'cafe',
      secureBoot: false,
      files: {
        'nodeos.uki.efi': inParts ? { size: uki.length, parts: halves(uki).map(about) } : about(uki),
        'systemd-boot.efi': about(loader),
        ...Object.fromEntries(Object.entries(more).map(([name, bytes]) => [name, about(bytes)])),
      },
      ...options.manifest,
    }),
  );
  const files = new Map([
    ['install/manifest.json', manifest],
    ...(key === undefined
      ? []
      : [['install/manifest.json.sig', sign(null, manifest, key.privateKey)] as const]),
    ['install/nodeos.uki.efi', uki],
    ['install/systemd-boot.efi', loader],
    ...Object.entries(more).map(([name, bytes]) => [`install/${name}`, bytes] as const),
  ]);
  options.change?.(files);
  const entries = [...files].map(([path, content]) => ({ path, size: content.length, content }));
  const archive = Buffer.concat(tarParts(entries));
  const layers = inParts ? halves(archive) : [archive];
  const config = Buffer.from('{}');
  const descriptor = (mediaType: string, bytes: Buffer) => {
    return { mediaType, digest: `sha256:${sha256(bytes)}`, size: bytes.length };
  };
  const image = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: descriptor('application/vnd.oci.image.config.v1+json', config),
      layers: layers.map((layer) => descriptor(mediaType, layer)),
    }),
  );
  const blobs = new Map([...layers, config].map((bytes) => [`sha256:${sha256(bytes)}`, bytes]));
  const server = createServer(({ url = '' }, answer) => {
    const body = url.includes('/manifests/') ? image : blobs.get(url.split('/').at(-1) ?? '');
    const type = url.includes('/manifests/')
      ? 'application/vnd.oci.image.manifest.v1+json'
      : 'application/octet-stream';
    answer.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
    answer.end(body);
  });
  server.listen(0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    reference: `127.0.0.1:${port}/metal-installer/cafe:${version}`,
    digest: `sha256:${sha256(image)}`,
    uki,
  };
}
