import { type Architecture, architectures } from '@nodecore/schematic/release';

import { FactoryError } from '../errors.ts';
import { nearest } from '../nearest.ts';

/** What a factory makes. */
export type AssetKind = 'kernel' | 'initramfs' | 'cmdline' | 'raw' | 'iso' | 'uki' | 'installer';

/** One thing to be made of a schematic and a release. */
export type Asset = {
  readonly kind: AssetKind;
  readonly architecture: Architecture;
  readonly isSecureBoot: boolean;
};

/** A request for an asset: the thing itself, or the line with its checksum. */
export type AssetRequest = {
  readonly asset: Asset;
  /** Its own name, without the end that asks for a checksum. */
  readonly fileName: string;
  readonly checksum: 'sha256' | 'sha512' | undefined;
};

/** Where images run; one is one row. */
export const platforms: readonly string[] = ['metal'];

/** Architectures as other programs call them. */
const aliases: Readonly<Record<string, Architecture>> = { x86_64: 'amd64', i386: 'amd64' };

const assets: ReadonlyMap<string, Asset> = new Map([
  ...architectures.flatMap((architecture) => names(architecture, architecture)),
  ...Object.entries(aliases).flatMap(([name, architecture]) => names(name, architecture)),
]);

function names(name: string, architecture: Architecture): (readonly [string, Asset])[] {
  const plain = (kind: AssetKind): Asset => ({ kind, architecture, isSecureBoot: false });
  const both = (kind: AssetKind, before: string, after: string): (readonly [string, Asset])[] => [
    [`${before}${name}${after}`, plain(kind)],
    [`${before}${name}-secureboot${after}`, { ...plain(kind), isSecureBoot: true }],
  ];
  return [
    [`kernel-${name}`, plain('kernel')],
    [`initramfs-${name}.xz`, plain('initramfs')],
    ...both('installer', 'installer-', '.tar'),
    ...platforms.flatMap((platform) => [
      ...both('cmdline', `cmdline-${platform}-`, ''),
      ...both('iso', `${platform}-`, '.iso'),
      ...both('uki', `${platform}-`, '-uki.efi'),
      ...both('raw', `${platform}-`, '.raw'),
      ...both('installer', `${platform}-installer-`, '.tar'),
    ]),
  ];
}

/**
 * Reads the name of an asset.
 *
 * @throws {FactoryError} with `ERR_FACTORY_ASSET` and the nearest names that there are.
 */
export function parseAsset(name: string): AssetRequest {
  const match = /^(?<fileName>.*?)(?:\.(?<checksum>sha256|sha512))?$/s.exec(name);
  const { fileName = '', checksum } = match?.groups ?? {};
  const asset = assets.get(fileName);
  if (asset !== undefined) return { asset, fileName, checksum: checksum as AssetRequest['checksum'] };
  throw new FactoryError('ERR_FACTORY_ASSET', 'no such image', { nearest: nearest(fileName, assets.keys()) });
}

/** What stands for the asset in a recipe; not for users. */
export function keyOf({ kind, architecture, isSecureBoot }: Asset): string {
  return `${kind}-${architecture}${isSecureBoot ? '-secureboot' : ''}`;
}

/** Types of what is sent. */
export const contentTypes: Readonly<Record<AssetKind, string>> = {
  kernel: 'application/octet-stream',
  initramfs: 'application/octet-stream',
  cmdline: 'text/plain; charset=utf-8',
  raw: 'application/octet-stream',
  iso: 'application/x-iso9660-image',
  uki: 'application/vnd.microsoft.portable-executable',
  installer: 'application/x-tar',
};
