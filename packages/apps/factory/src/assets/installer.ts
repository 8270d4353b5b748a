import { sign } from 'node:crypto';

import { type Enrollment, enrollmentFiles } from '@nodecore/boot';
import {
  type Descriptor,
  digestOf,
  formatIndex,
  formatManifest,
  mediaTypes,
  type StoredManifest,
  type TarEntry,
  tarParts,
} from '@nodecore/oci';
import { imageVersionOf } from '@nodecore/schematic/release';
import { View } from '@nodecore/view';

import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { Asset } from './asset.ts';
import type { InstallerKey } from './installer-key.ts';

/** What a node pulls to upgrade: an OCI image with one layer, none of which is ever run. */
export type Installer = {
  readonly index: StoredManifest;
  readonly manifest: StoredManifest;
  /** Configuration and layer, by digest. */
  readonly blobs: ReadonlyMap<string, View>;
  readonly layer: Descriptor;
};

export type InstallerOptions = {
  readonly release: LoadedRelease;
  readonly schematic: string;
  readonly asset: Asset;
  readonly uki: View;
  readonly systemdBoot: View;
  /** Of images for Secure Boot: what an installation leaves beside the boot loader. */
  readonly enrollment?: Enrollment | undefined;
  /** For machines with a BIOS, by name. */
  readonly grub?: Readonly<Record<string, View>> | undefined;
  readonly key: InstallerKey;
};

/** Makes the image. The files are read once, for their digests. */
export async function installerImage(options: InstallerOptions): Promise<Installer> {
  const { asset } = options;
  const layerView = await layerOf(options);
  const digest = (await layerView.digest('sha256')).toString('hex');
  const layer: Descriptor = { mediaType: mediaTypes.layer, digest: `sha256:${digest}`, size: layerView.size };
  const config = Buffer.from(
    JSON.stringify({
      architecture: asset.architecture,
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    }),
  );
  const manifest = stored(
    mediaTypes.manifest,
    formatManifest({
      mediaType: mediaTypes.manifest,
      config: describe(mediaTypes.config, config),
      layers: [layer],
    }),
  );
  const platform = { os: 'linux', architecture: asset.architecture };
  const index = stored(
    mediaTypes.index,
    formatIndex({
      mediaType: mediaTypes.index,
      manifests: [{ ...describe(mediaTypes.manifest, manifest.bytes), platform }],
    }),
  );
  return {
    index,
    manifest,
    blobs: new Map([
      [digestOf(config), View.of(config)],
      [layer.digest, layerView],
    ]),
    layer,
  };
}

/** The image in one file, as an OCI layout in a tar archive. */
export function installerArchive({ index, manifest, blobs }: Installer): View {
  const blob = (digest: string, content: View) => file(`blobs/${digest.replace(':', '/')}`, content);
  const entry = { ...describe(index.mediaType, index.bytes), digest: index.digest };
  return View.of(
    ...tarParts<View>([
      file('oci-layout', View.of(Buffer.from('{"imageLayoutVersion":"1.0.0"}'))),
      file(
        'index.json',
        View.of(
          Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.index, manifests: [entry] })),
        ),
      ),
      { path: 'blobs', directory: true },
      { path: 'blobs/sha256', directory: true },
      blob(index.digest, View.of(index.bytes)),
      blob(manifest.digest, View.of(manifest.bytes)),
      ...Array.from(blobs, ([digest, content]) => blob(digest, content)),
    ]),
  );
}

async function layerOf({
  release,
  schematic,
  asset,
  uki,
  systemdBoot,
  enrollment,
  grub = {},
  key,
}: InstallerOptions): Promise<View> {
  const keys = enrollment === undefined ? {} : keyFiles(enrollment);
  const files = { 'nodeos.uki.efi': uki, 'systemd-boot.efi': systemdBoot, ...grub, ...keys };
  const described = await Promise.all(
    Object.entries(files).map(async ([name, view]) => {
      const sha256 = (await view.digest('sha256')).toString('hex');
      return [name, { size: view.size, sha256 }] as const;
    }),
  );
  const { version, release: about } = release;
  const manifest = Buffer.from(
    `${JSON.stringify(
      {
        version,
        imageVersion: imageVersionOf(version),
        arch: asset.architecture,
        kernel: release.kernelVersion(asset.architecture),
        minimumVersion: about.minimumVersion,
        schematic,
        secureBoot: asset.isSecureBoot,
        ...(enrollment && { enrollKeys: enrollment.enrollment }),
        files: Object.fromEntries(described),
      },
      undefined,
      2,
    )}\n`,
  );
  const signature = sign(null, manifest, key.privateKey);
  return View.of(
    ...tarParts<View>([
      { path: 'install', directory: true },
      // First, so that a node can refuse the image before it takes the rest.
      file('install/manifest.json', View.of(manifest)),
      file('install/manifest.json.sig', View.of(signature)),
      ...(enrollment === undefined ? [] : [{ path: 'install/keys', directory: true as const }]),
      ...Object.entries(files).map(([name, content]) => file(`install/${name}`, content)),
    ]),
  );
}

function keyFiles({ keys, certificate }: Enrollment): Readonly<Record<string, View>> {
  const files = { ...keys, ...(certificate && { certificate }) };
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [
      enrollmentFiles[name as keyof typeof enrollmentFiles],
      View.of(bytes),
    ]),
  );
}

function file(path: string, content: View): TarEntry<View> {
  return { path, size: content.size, content };
}

function describe(mediaType: string, bytes: Uint8Array): Descriptor {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

function stored(mediaType: string, bytes: Buffer): StoredManifest {
  return { mediaType, bytes, digest: digestOf(bytes) };
}
