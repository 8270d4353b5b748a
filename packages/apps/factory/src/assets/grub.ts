import { type EspOptions, grubFiles, grubMediumFiles } from '@nodecore/boot';
import { readPe } from '@nodecore/efi';
import type { GrubDisk } from '@nodecore/image';
import type { Customization } from '@nodecore/schematic';
import { codeOf } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { Asset } from './asset.ts';

type Bootloader = NonNullable<Customization['bootloader']>;

/**
 * Whether an image is to start on machines with a BIOS, too: a medium unless it is asked for without, because GRUB costs it little; a disk
 * when it is asked for, because it then has the release twice. A BIOS has no Secure Boot.
 */
export function startsByBios(
  { kind, isSecureBoot }: Pick<Asset, 'kind' | 'isSecureBoot'>,
  bootloader: Bootloader | undefined,
): boolean {
  const isDefault = kind === 'iso' && !isSecureBoot;
  return bootloader === undefined ? isDefault : bootloader !== 'sd-boot';
}

/**
 * What an image has for machines with a BIOS; nothing where the release has no GRUB.
 *
 * @param bootloader that was asked for; without one, an image that GRUB can't start is one for UEFI alone.
 * @throws {FactoryError} with `ERR_FACTORY_UNSUPPORTED` when GRUB would change the command line.
 */
export async function grubOf(
  release: Pick<LoadedRelease, 'grub'>,
  { kind, architecture }: Asset,
  { entries }: Pick<EspOptions, 'entries'>,
  bootloader: Bootloader | undefined,
): Promise<{ readonly grub?: GrubDisk }> {
  const images = release.grub(architecture);
  const [entry] = entries;
  if (images === undefined || entry === undefined) return {};
  try {
    const files =
      kind === 'iso'
        ? await grubMediumFiles({ entry, readSections: readPe })
        : await grubFiles({ entries, readSections: readPe });
    const [core, boot] = await Promise.all([
      images['grub-core.img'].bytes(),
      images['grub-boot.img'].bytes(),
    ]);
    return { grub: { files, programs: { core, boot } } };
  } catch (error) {
    if (codeOf(error) !== 'ERR_BOOT_KERNEL' || !(error instanceof Error)) throw error;
    if (bootloader === undefined) return {};
    throw new FactoryError('ERR_FACTORY_UNSUPPORTED', `bootloader grub: ${error.message}`, { cause: error });
  }
}
