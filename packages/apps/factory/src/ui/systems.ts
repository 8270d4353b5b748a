import type { Architecture } from '@nodecore/schematic/release';

import { type Platform, platforms } from '../assets/platforms.ts';

/** A platform, as pages offer it. */
export type System = Platform & { readonly target: Target };

/** What kind of machine it is. */
export const targets = ['metal', 'cloud'] as const;
export type Target = (typeof targets)[number];

/** All that images are made for. */
export const systems: readonly System[] = platforms.map((platform) => ({
  ...platform,
  target: platform.name === 'metal' ? 'metal' : 'cloud',
}));

/** An image, and what it is for. */
export type OfferedAsset = {
  readonly name: string;
  readonly use: 'disk' | 'iso' | 'uki' | 'kernel' | 'initramfs' | 'cmdline' | 'installer';
};

/** The images of a system, the one that it takes first. */
export function assetsOf(
  { name, target, starts, diskImage }: System,
  architecture: Architecture,
  isSecureBoot: boolean,
): readonly OfferedAsset[] {
  const end = `${architecture}${isSecureBoot ? '-secureboot' : ''}`;
  const plain: readonly OfferedAsset[] = [
    { name: `kernel-${architecture}`, use: 'kernel' },
    { name: `initramfs-${architecture}.xz`, use: 'initramfs' },
    { name: `cmdline-${name}-${end}`, use: 'cmdline' },
  ];
  // Who writes a disk, or starts a virtual machine, takes these.
  const others = target === 'metal' ? ['raw', 'qcow2'] : [];
  const disks = diskImage === undefined ? [] : new Set([diskImage, ...others]);
  return [
    ...Array.from(disks, (form) => ({ name: `${name}-${end}.${form}`, use: 'disk' }) as const),
    ...(starts.includes('iso') ? [{ name: `${name}-${end}.iso`, use: 'iso' } as const] : []),
    { name: `${name}-${end}-uki.efi`, use: 'uki' },
    ...(isSecureBoot ? [] : plain),
    { name: `${name}-installer-${end}.tar`, use: 'installer' },
  ];
}
