import { createPublicKey, verify } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { imageVersionOf } from '@nodecore/schematic/release';
import { codeOf } from '@nodecore/sys';

import { UpgradeError } from './errors.ts';

/** Bytes with their digest in hex. */
export type InstallerPart = { readonly size: number; readonly sha256: string };

/** A file of an installer image: its parts one behind the other, each with a digest of its own. */
export type InstallerFile = { readonly size: number; readonly parts: readonly InstallerPart[] };

/** `install/manifest.json`: what an installer image holds, signed by who made it. */
export type InstallerManifest = {
  /** `v1.14.0` */
  readonly version: string;
  /** As in file names: `1.14.0` */
  readonly imageVersion: string;
  readonly arch: string;
  readonly kernel: string;
  /** The oldest release that may go to this one. */
  readonly minimumVersion: string;
  readonly schematic: string;
  readonly secureBoot: boolean;
  /** When the boot loader enrols the keys that the image has. */
  readonly enrollKeys?: string;
  readonly files: ReadonlyMap<string, InstallerFile>;
};

/** What an installer image must have. */
export const ukiName = 'nodeos.uki.efi';
/** The boot loader, which a machine gets when it is installed. */
export const systemdBootName = 'systemd-boot.efi';

/** GRUB, which a machine with a BIOS gets when it is installed. */
export const grubNames = { core: 'grub-core.img', boot: 'grub-boot.img' } as const;

/** Above any file that belongs into a boot partition. */
const largestBytes = 4 * 2 ** 30;
/** Each extension makes two. */
const mostParts = 1024;

/**
 * Reads the manifest.
 *
 * @throws {UpgradeError} `ERR_UPGRADE_IMAGE` for one that lacks something; unknown fields are for later versions.
 */
export function parseInstallerManifest(bytes: Uint8Array): InstallerManifest {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw new UpgradeError('ERR_UPGRADE_IMAGE', 'manifest.json is no JSON', { cause });
  }
  const fields = record(json, 'manifest.json');
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new UpgradeError('ERR_UPGRADE_IMAGE', `manifest.json has no ${name}`);
  };
  const files = new Map(
    Object.entries(record(fields['files'], 'files')).map(([name, file]) => [name, fileOf(name, file)]),
  );
  if (!files.has(ukiName)) throw new UpgradeError('ERR_UPGRADE_IMAGE', `manifest.json has no ${ukiName}`);
  const [version, imageVersion] = [text('version'), text('imageVersion')];
  if (versionOf(version) !== imageVersion)
    throw new UpgradeError('ERR_UPGRADE_IMAGE', `manifest.json: ${version} is not ${imageVersion}`);
  const minimumVersion = text('minimumVersion');
  versionOf(minimumVersion);
  return {
    version,
    imageVersion,
    arch: text('arch'),
    kernel: text('kernel'),
    minimumVersion,
    schematic: text('schematic'),
    secureBoot: fields['secureBoot'] === true,
    ...(fields['enrollKeys'] !== undefined && { enrollKeys: text('enrollKeys') }),
    files,
  };
}

function versionOf(version: string): string {
  try {
    return imageVersionOf(version);
  } catch (cause) {
    throw new UpgradeError('ERR_UPGRADE_IMAGE', `manifest.json: ${version} is no version`, { cause });
  }
}

function fileOf(name: string, file: unknown): InstallerFile {
  const { size, sha256, parts } = record(file, name);
  if (parts === undefined) {
    const whole = partOf(name, { size, sha256 });
    return { size: whole.size, parts: [whole] };
  }
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > mostParts) throw noDigest(name);
  const known = parts.map((part) => partOf(name, part));
  const total = known.reduce((sum, part) => sum + part.size, 0);
  if (total !== size || total > largestBytes) throw noDigest(name);
  return { size: total, parts: known };
}

function partOf(name: string, part: unknown): InstallerPart {
  const { size, sha256 } = record(part, name);
  const isSize = typeof size === 'number' && Number.isSafeInteger(size) && size > 0 && size <= largestBytes;
  if (isSize && typeof sha256 === 'string' && /^[0-9a-f]{64}$/u.test(sha256)) return { size, sha256 };
  throw noDigest(name);
}

function noDigest(name: string): UpgradeError {
  return new UpgradeError('ERR_UPGRADE_IMAGE', `manifest.json: ${name} has no size and digest`);
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new UpgradeError('ERR_UPGRADE_IMAGE', `${what} is no object`);
}

/** Public keys that the running image trusts, PEM, in the order of their names; none without the directory. */
export async function installerKeys(directory: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.pub')).toSorted();
    return await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Whether one of the keys, Ed25519 in PEM, has signed the bytes. Keys of another kind sign nothing here. */
export function isSignedByOneOf(
  keys: readonly string[],
  bytes: Uint8Array,
  signature: Uint8Array | undefined,
): boolean {
  if (signature?.length !== 64) return false;
  return keys.some((pem) => {
    try {
      const key = createPublicKey(pem);
      return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, signature);
    } catch {
      return false; // no key at all
    }
  });
}
