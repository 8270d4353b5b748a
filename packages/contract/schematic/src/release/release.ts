/** The layout of a release directory that this version writes and reads. */
export const releaseLayout = 1;

/** Architectures, by Debian's names. */
export const architectures = ['amd64', 'arm64'] as const;

/** An architecture, by Debian's name. */
export type Architecture = (typeof architectures)[number];

/** What every architecture of a release has: file names in the directory `<architecture>/`. */
export const architectureFiles = [
  'kernel',
  'initramfs.cpio',
  'base.sqsh',
  'systemd-boot.efi',
  'stub.efi',
] as const;

/** A file that every architecture of a release has. */
export type ArchitectureFile = (typeof architectureFiles)[number];

/** GRUB for machines with a BIOS, beside those; releases of before have none, and arm64 has no BIOS. */
export const biosFiles = ['grub-core.img', 'grub-boot.img'] as const;

/** A program of GRUB. */
export type BiosFile = (typeof biosFiles)[number];

/** Size in bytes and lower-case hex SHA-256 of a file of a release. */
export type ReleaseFile = { readonly size: number; readonly sha256: string };

/** `release.json`: what a release directory holds. */
export type Release = {
  readonly layout: typeof releaseLayout;
  /** With `v`, as in tags and URLs: `v1.14.0-alpha.0`. */
  readonly version: string;
  /** Who it is meant for, as `stable` or `development`. */
  readonly channel: string;
  /** ISO 8601 in UTC, to the second: `2026-11-22T00:00:00Z`. */
  readonly created: string;
  /** The lowest version that may be upgraded to this one. */
  readonly minimumVersion: string;
  readonly architectures: Readonly<Partial<Record<Architecture, ReleaseArchitecture>>>;
  /** By path in the release directory: `amd64/kernel`. Everything in the directory is here, but release.json and its signature. */
  readonly files: Readonly<Record<string, ReleaseFile>>;
};

/** What is said of one architecture. */
export type ReleaseArchitecture = {
  /** As `uname -r` says it. */
  readonly kernelVersion: string;
  /** What images may have besides, by the names that schematics use, as `os/btrfs`. Each has a file, {@link extensionFile}. */
  readonly extensions?: Readonly<Record<string, ReleaseExtension>>;
};

/** What is said of an extension: text for people, but for its former names. */
export type ReleaseExtension = {
  /** Names that it had before: a schematic that has one of them means this extension. */
  readonly aliases?: readonly string[];
  readonly version: string;
  readonly author: string;
  readonly description: string;
  readonly extraInfo: string;
};

/** The squashfs of an extension, by its path in the directory of its architecture. */
export function extensionFile(name: string): string {
  return `extensions/${name}.sqsh`;
}

/** What an architecture is made of, in SPDX 2.3, by its path in the release directory: `sbom/amd64.spdx.json`. */
export function billFile(architecture: Architecture): string {
  return `sbom/${architecture}.spdx.json`;
}

/** What an extension is made of, in SPDX 2.3, by its path in the directory of its architecture. */
export function extensionBillFile(name: string): string {
  return `extensions/${name}.spdx.json`;
}

/** The kernel modules of the base, by its path in the directory of its architecture; only beside extensions that have modules. */
export const modulesFile = 'modules.json';

/** The kernel modules of an extension that has some, by its path in the directory of its architecture. */
export function extensionModulesFile(name: string): string {
  return `extensions/${name}.modules.json`;
}

/** What is said of vulnerabilities in a release, in OpenVEX, by its path in the release directory. */
export const statementsFile = 'vex.json';

/** The name of the description in a release directory. */
export const releaseFileName = 'release.json';

/** The name of its signature: 64 bytes, Ed25519 over the bytes of the description. */
export const signatureFileName = 'release.json.sig';
