import { type Compression, compressions } from '@nodecore/image';
import { type Architecture, architectures } from '@nodecore/schematic/release';

import { FactoryError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { type Medium, metal, type Platform, platformOf, platforms } from './platforms.ts';

/** What a factory makes. */
export type AssetKind = 'kernel' | 'initramfs' | 'cmdline' | 'raw' | 'iso' | 'uki' | 'installer';

/** What an image is for: one machine of a platform. */
export type System = {
  readonly platform: Platform;
  readonly architecture: Architecture;
  readonly isSecureBoot: boolean;
};

const formats = ['raw', 'qcow2', 'vhd', 'ova'] as const;
const diskCompressions: readonly ('tar.gz' | Compression)[] = ['tar.gz', ...compressions];

/** What a disk image is sent as. */
export type DiskForm = {
  readonly format: (typeof formats)[number];
  /** With `tar.gz` it is a file in an archive. */
  readonly compression?: (typeof diskCompressions)[number];
};

/** One thing to be made of a schematic and a release. A `raw` one is a disk, whatever form it is sent in. */
export type Asset = System & { readonly kind: AssetKind; readonly disk?: DiskForm };

/** What proves an asset, by the end of a name that asks for it. */
const proofs = { '.sha256': 'sha256', '.sha512': 'sha512', '.sigstore.json': 'signature' } as const;

/** A line with a checksum, or a signature. */
export type Proof = (typeof proofs)[keyof typeof proofs];

/** A request for an asset: the thing itself, or what proves it. */
export type AssetRequest = {
  readonly asset: Asset;
  /** Its own name, without the end that asks for a proof. */
  readonly fileName: string;
  readonly proof: Proof | undefined;
};

/** Architectures as other programs call them. */
const aliases: Readonly<Record<string, Architecture>> = { x86_64: 'amd64', i386: 'amd64' };

const system = '(?<platform>digital-ocean|[^-]+)-(?<architecture>[^-.]+)(?<secureBoot>-secureboot)?';

/** The forms of names, and what each is; the first one that fits counts. */
const forms: readonly (readonly [RegExp, AssetKind, Medium?])[] = [
  [/^kernel-(?<architecture>[^-.]+)$/, 'kernel'],
  [new RegExp(`^cmdline-${system}$`), 'cmdline'],
  [/^initramfs-(?<architecture>[^-.]+)\.xz$/, 'initramfs'],
  [/^installer-(?<architecture>[^-.]+)(?<secureBoot>-secureboot)?\.tar$/, 'installer'],
  [new RegExp(`^${system.replace('-(', '-installer-(')}\\.tar$`), 'installer'],
  [new RegExp(`^${system}\\.iso$`), 'iso', 'iso'],
  [new RegExp(`^${system}-uki\\.efi$`), 'uki'],
  [
    new RegExp(
      `^${system}\\.(?<format>${formats.join('|')})(?:\\.(?<compression>${diskCompressions.join('|')}))?$`,
    ),
    'raw',
    'disk',
  ],
];

/**
 * Reads the name of an asset.
 *
 * @throws {FactoryError} with `ERR_FACTORY_ASSET` and the nearest names that there are, or why there is none.
 */
export function parseAsset(name: string): AssetRequest {
  const [end, proof] = Object.entries(proofs).find(([each]) => name.endsWith(each)) ?? [''];
  const fileName = name.slice(0, name.length - end.length);
  for (const [form, kind, medium] of forms) {
    const found = form.exec(fileName)?.groups;
    const about = found && systemOf(found);
    if (found === undefined || about === undefined) continue;
    assertMade(about, medium);
    const asset = { ...about, kind, ...(found['format'] !== undefined && { disk: diskOf(found) }) };
    return { asset, fileName, proof };
  }
  const board = boardIn(fileName);
  const why = board === '' ? '' : ': a board is no part of a name, but the overlay of a schematic';
  const meant = fileName.replace(board, '');
  throw new FactoryError('ERR_FACTORY_ASSET', `no such image${why}`, {
    nearest: nearest(meant, candidates(meant)),
  });
}

/**
 * What a script for iPXE is asked for: `<platform>-<architecture>[-secureboot]`.
 *
 * @throws {FactoryError} with `ERR_FACTORY_ASSET`.
 */
export function parsePxe(name: string): System {
  const found = new RegExp(`^${system}$`).exec(name)?.groups;
  const about = found && systemOf(found);
  if (about === undefined) {
    const names = platforms.filter(({ starts }) => starts.includes('pxe')).flatMap(systemNames);
    throw new FactoryError('ERR_FACTORY_ASSET', 'no such system', { nearest: nearest(name, names) });
  }
  assertMade(about, 'pxe');
  return about;
}

/** Of the words of a name; undefined when one of them is none. */
function systemOf(words: Readonly<Record<string, string | undefined>>): System | undefined {
  const { platform: name = metal.name, architecture: called = '', secureBoot } = words;
  const platform = platformOf(name);
  const alias = Object.hasOwn(aliases, called) ? aliases[called] : undefined;
  const architecture = alias ?? architectures.find((each) => each === called);
  if (platform === undefined || architecture === undefined) return undefined;
  return { platform, architecture, isSecureBoot: secureBoot !== undefined };
}

function diskOf({ format, compression }: Readonly<Record<string, string | undefined>>): DiskForm {
  const form = { format, ...(compression !== undefined && { compression }) };
  return form as DiskForm; // the forms of names have no others
}

const media: Readonly<Record<Medium, string>> = { disk: 'a disk image', iso: 'an ISO', pxe: 'iPXE' };

function assertMade({ platform, architecture, isSecureBoot }: System, medium: Medium | undefined): void {
  const { name } = platform;
  const refuse = (why: string, near: readonly string[] = []): never => {
    throw new FactoryError('ERR_FACTORY_ASSET', `${name}: ${why}`, { nearest: near });
  };
  if (!platform.architectures.includes(architecture))
    refuse(`it has no machines of ${architecture}`, platform.architectures);
  if (isSecureBoot && !platform.hasSecureBoot) refuse('it has no Secure Boot');
  if (medium !== undefined && !platform.starts.includes(medium))
    refuse(`nothing starts from ${media[medium]} there; from ${wordsOf(platform.starts)}`);
}

function wordsOf(starts: readonly Medium[]): string {
  return starts.map((medium) => media[medium]).join(', ');
}

/** Names of boards had a place in names once: `rpi_generic-` of `metal-rpi_generic-arm64.raw`. */
function boardIn(name: string): string {
  const match = /^(?<platform>[^-]+)-(?<board>[^-]+-)(?:amd64|arm64)\b/.exec(name);
  const { platform = '', board = '' } = match?.groups ?? {};
  return platformOf(platform) === undefined || board === 'installer-' ? '' : board;
}

/** Names that are looked through for the nearest ones: those without a platform, and those of the platforms that may be meant. */
function candidates(name: string): readonly string[] {
  const [start = ''] = name.replace(/^cmdline-/, '').split('-', 1);
  const names = platforms.map((platform) => platform.name);
  const meant = nearest(name.includes('digital-ocean') ? 'digital-ocean' : start, names, 2);
  return [
    ...architectures.flatMap((each) => [`kernel-${each}`, `initramfs-${each}.xz`]),
    ...namesWith(metal, 'installer-', '.tar').map((each) => each.replace('metal-', '')),
    ...platforms.filter((platform) => meant.includes(platform.name)).flatMap(assetNames),
  ];
}

/** Of disk images, as they are in names. */
const diskEnds: readonly string[] = formats.flatMap((format) => [
  format,
  ...diskCompressions.map((compression) => `${format}.${compression}`),
]);

/** All names of the images of a platform. */
export function assetNames(platform: Platform): readonly string[] {
  const { starts } = platform;
  return [
    ...systemNames(platform).map((name) => `cmdline-${name}`),
    ...namesWith(platform, '', '-uki.efi'),
    ...namesWith(platform, 'installer-', '.tar'),
    ...(starts.includes('iso') ? namesWith(platform, '', '.iso') : []),
    ...(starts.includes('disk') ? diskEnds.flatMap((end) => namesWith(platform, '', `.${end}`)) : []),
  ];
}

function systemNames(platform: Platform): readonly string[] {
  return namesWith(platform, '', '');
}

function namesWith(platform: Platform, before: string, after: string): readonly string[] {
  const { name, architectures: all, hasSecureBoot } = platform;
  const ends = hasSecureBoot ? ['', '-secureboot'] : [''];
  return all.flatMap((each) => ends.map((end) => `${name}-${before}${each}${end}${after}`));
}

/** What stands for the asset in a recipe, whatever form it is sent in; not for users. */
export function keyOf({ kind, platform, architecture, isSecureBoot }: Asset): string {
  return `${kind}-${platform.name}-${architecture}${isSecureBoot ? '-secureboot' : ''}`;
}

const contentTypes: Readonly<Record<AssetKind, string>> = {
  kernel: 'application/octet-stream',
  initramfs: 'application/octet-stream',
  cmdline: 'text/plain; charset=utf-8',
  raw: 'application/octet-stream',
  iso: 'application/x-iso9660-image',
  uki: 'application/vnd.microsoft.portable-executable',
  installer: 'application/x-tar',
};

const compressedTypes = {
  'tar.gz': 'application/gzip',
  gz: 'application/gzip',
  xz: 'application/x-xz',
  zst: 'application/zstd',
} as const;

/** The type of what is sent. */
export function contentTypeOf({ kind, disk }: Asset): string {
  if (disk?.compression !== undefined) return compressedTypes[disk.compression];
  return disk?.format === 'ova' ? 'application/x-tar' : contentTypes[kind];
}
