import { type EspOptions, grubFiles, grubMediumFiles } from '@nodecore/boot';
import { readPe } from '@nodecore/efi';
import type { GrubDisk } from '@nodecore/image';
import { codeOf } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { Asset } from './asset.ts';

/**
 * What an image has for machines with a BIOS; nothing where the release has no GRUB.
 *
 * @throws {FactoryError} with `ERR_FACTORY_UNSUPPORTED` when GRUB would change the command line.
 */
export async function grubOf(
  release: Pick<LoadedRelease, 'grub'>,
  { kind, architecture }: Asset,
  { entries }: Pick<EspOptions, 'entries'>,
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
    throw new FactoryError('ERR_FACTORY_UNSUPPORTED', `bootloader grub: ${error.message}`, { cause: error });
  }
}
