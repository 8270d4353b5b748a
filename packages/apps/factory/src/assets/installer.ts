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
import { type Architecture, imageVersionOf, installerPartType } from '@nodecore/schematic/release';
import { View } from '@nodecore/view';

import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { Asset } from './asset.ts';
import type { InstallerKey } from './installer-key.ts';
import { partsOf } from './parts.ts';

/**
 * What a node of one architecture pulls to upgrade: an OCI image that is never run. Its layers are one archive, cut into parts
 * so that those that are files of the release have the digests which these were signed with.
 */
export type Installer = {
  readonly architecture: Architecture;
  readonly manifest: StoredManifest;
  /** Configuration and layers, by digest. */
  readonly blobs: ReadonlyMap<string, View>;
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

/** Makes the image. Nothing of the large files is read: their digests are known. */
export async function installerImage(options: InstallerOptions): Promise<Installer> {
  const { asset, release } = options;
  const parts = await partsOf(await archiveOf(options), release.digests);
  const layers = parts.map(({ view, sha256 }): Descriptor => {
    return { mediaType: installerPartType, digest: `sha256:${sha256}`, size: view.size };
  });
  const config = Buffer.from(
    JSON.stringify({
      architecture: asset.architecture,
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
    }),
  );
  const manifest = stored(
    mediaTypes.manifest,
    formatManifest({
      mediaType: mediaTypes.manifest,
      config: describe(mediaTypes.config, config),
      layers,
    }),
  );
  return {
    architecture: asset.architecture,
    manifest,
    blobs: new Map([
      [digestOf(config), View.of(config)],
      ...parts.map(({ view, sha256 }) => [`sha256:${sha256}`, view] as const),
    ]),
  };
}

/** What names the images of all architectures, in this order. */
export function installerIndex(installers: readonly Installer[]): StoredManifest {
  const manifests = installers.map(({ architecture, manifest }) => ({
    ...describe(mediaTypes.manifest, manifest.bytes),
    platform: { os: 'linux', architecture },
  }));
  return stored(mediaTypes.index, formatIndex({ mediaType: mediaTypes.index, manifests }));
}

/** The image in one file, as an OCI layout in a tar archive. */
export function installerArchive(installer: Installer): View {
  const { manifest, blobs } = installer;
  const index = installerIndex([installer]);
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

async function archiveOf({
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
    Object.entries(files).map(async ([name, view]) => [name, await describeFile(view, release)] as const),
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

/** A file of one part is that part. */
async function describeFile(view: View, release: LoadedRelease): Promise<object> {
  const parts = (await partsOf(view, release.digests)).map(({ view: { size }, sha256 }) => ({
    size,
    sha256,
  }));
  return parts.length === 1 ? parts[0]! : { size: view.size, parts };
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
