import { open, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { type Descriptor, layerFiles, parseReference, RegistryClient } from '@nodecore/oci';
import { installerPartType } from '@nodecore/schematic/release';
import { fileView, type View } from '@nodecore/view';

import { UpgradeError } from './errors.ts';
import {
  type InstallerFile,
  type InstallerManifest,
  isSignedByOneOf,
  parseInstallerManifest,
  ukiName,
} from './installer-manifest.ts';
import { PartCheck } from './part-check.ts';

/** The network brings a few KiB at a time, and each write waits for a thread. */
const writeBytes = 1 << 20;

/** The manifest and its signature come first in the layer, and are small. */
const largestText = 1 << 20;

export type PullOptions = {
  /** `HOST/metal-installer/SCHEMATIC:VERSION`, or with a digest. */
  readonly image: string;
  /** `sha256:…`; `''`: whatever the reference means now. */
  readonly expectedDigest: string;
  readonly architecture: string;
  /** Whom the running image trusts, PEM. */
  readonly keys: readonly string[];
  /** Take an image that nobody has signed. */
  readonly unsigned: boolean;
  /** What is needed of it; the boot image alone unless given. */
  readonly files?: readonly string[];
  /** Taken as well where the manifest names them. */
  readonly optional?: readonly string[];
  /** Empty, for the files of the image; the caller removes it. */
  readonly directory: string;
  readonly signal?: AbortSignal;
  /** Called with how much of the boot image is here. */
  readonly progress: (doneBytes: number, totalBytes: number) => void;
  /** How much room the directory has; asked of its filesystem unless given. */
  readonly freeBytes?: (directory: string) => Promise<number>;
};

/** An installer image whose manifest and bytes are proven. */
export type PulledInstaller = {
  readonly manifest: InstallerManifest;
  readonly uki: View;
  /** Of the boot image, in hex. */
  readonly sha256: string;
  /** Those that are needed, by name. */
  readonly files: ReadonlyMap<string, View>;
  readonly digest: string;
};

/**
 * Pulls an installer image. Nothing of it is executed, and nothing but what its signed manifest names is kept.
 *
 * @throws {OciError} when the registry does not give it; {UpgradeError} when it is not to be trusted, or no installer.
 */
export async function pullInstaller(options: PullOptions): Promise<PulledInstaller> {
  const { image, expectedDigest, architecture, keys, unsigned, directory, signal, progress } = options;
  const { files: wanted = [ukiName], optional = [], freeBytes = freeBytesOf } = options;
  const needed = (): readonly string[] => [
    ...wanted,
    ...optional.filter((name) => manifest?.files.has(name)),
  ];
  const reference = parseReference(image);
  const client = new RegistryClient(reference.registry);
  const { manifest: oci, digest } = await client.image(reference, { os: 'linux', architecture }, signal);
  if (expectedDigest !== '' && digest !== expectedDigest)
    throw new UpgradeError('ERR_UPGRADE_IMAGE', `${image} is ${digest}, not ${expectedDigest}`);
  // One layer is an archive by itself, as factories of before have made it.
  if (oci.layers.length !== 1 && oci.layers.some(({ mediaType }) => mediaType !== installerPartType))
    throw new UpgradeError(
      'ERR_UPGRADE_IMAGE',
      `${image} has ${oci.layers.length} layers: no installer image`,
    );
  const archive = joined(oci.layers, (layer) => client.blob(reference.repository, layer, signal));
  let text: Buffer | undefined;
  let manifest: InstallerManifest | undefined;
  let sha256 = '';
  const files = new Map<string, View>();
  for await (const file of layerFiles(archive)) {
    const name = file.path.replace(/^install\//u, '');
    if (name === 'manifest.json') text = await small(file.content);
    else if (name === 'manifest.json.sig' && text !== undefined) {
      if (!isSignedByOneOf(keys, text, await small(file.content)) && !unsigned) throw untrusted(keys);
      manifest = parseInstallerManifest(text);
    } else if (wanted.includes(name) || optional.includes(name)) {
      if (manifest === undefined && unsigned && text !== undefined) manifest = parseInstallerManifest(text);
      if (manifest === undefined) throw untrusted(keys);
      if (!needed().includes(name)) continue;
      if (files.size === 0) requireRoom(manifest, needed(), await freeBytes(directory));
      const path = join(directory, name.replaceAll('/', '-'));
      const told = name === ukiName ? progress : () => {};
      const saved = await save(file.content, path, {
        name,
        expected: manifest.files.get(name),
        progress: told,
      });
      if (name === ukiName) sha256 = saved;
      files.set(name, await fileView(path));
    }
  }
  const uki = files.get(ukiName);
  const lacks = ['manifest.json', ...needed()].filter((name) =>
    name === 'manifest.json' ? manifest === undefined : !files.has(name),
  );
  if (manifest === undefined || uki === undefined || lacks.length > 0)
    throw new UpgradeError('ERR_UPGRADE_IMAGE', `${image} lacks ${lacks.join(', ')}`);
  return { manifest, uki, sha256, files, digest };
}

/** One archive, in as many blobs as it was cut into: those of a release are the same for all schematics. */
async function* joined(
  layers: readonly Descriptor[],
  read: (layer: Descriptor) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (const layer of layers) yield* read(layer);
}

/** Before the first byte comes: of a machine that is still to be installed it is memory, and would run out late. */
function requireRoom(manifest: InstallerManifest, names: readonly string[], free: number): void {
  const bytes = names.reduce((sum, name) => sum + (manifest.files.get(name)?.size ?? 0), 0);
  if (bytes <= free) return;
  throw new UpgradeError(
    'ERR_UPGRADE_SPACE',
    `${manifest.version} takes ${mib(bytes)} while it is proven, and ${mib(free)} are free: without EPHEMERAL that is memory`,
  );
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

function untrusted(keys: readonly string[]): UpgradeError {
  const known = keys.length === 0 ? 'it knows none' : `it knows ${keys.length}`;
  return new UpgradeError(
    'ERR_UPGRADE_SIGNATURE',
    `no key that the running image trusts has signed the installer image (${known})`,
  );
}

async function small(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > largestText) throw new UpgradeError('ERR_UPGRADE_IMAGE', 'the manifest is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

type SavedFile = {
  readonly name: string;
  /** What the manifest says of it. */
  readonly expected: InstallerFile | undefined;
  readonly progress: PullOptions['progress'];
};

/** Never more than the manifest says, so that nobody fills the disk. @returns the SHA-256 of all of it, in hex. */
async function save(
  content: AsyncIterable<Uint8Array>,
  path: string,
  { name, expected, progress }: SavedFile,
): Promise<string> {
  const { size, parts } = expected ?? { size: 0, parts: [] };
  const check = new PartCheck(name, parts);
  await using file = await open(path, 'wx', 0o600);
  let done = 0;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const write = async (): Promise<void> => {
    await file.writeFile(Buffer.concat(pending, pendingBytes));
    pending = [];
    pendingBytes = 0;
  };
  progress(0, size);
  for await (const chunk of content) {
    check.update(chunk);
    done += chunk.length;
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes >= writeBytes) await write();
    progress(done, size);
  }
  await write();
  return check.end();
}
