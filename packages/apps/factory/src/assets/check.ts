import type { Schematic } from '@nodecore/schematic';

import { FactoryError } from '../errors.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { Asset } from './asset.ts';

/**
 * Whether a release can make of a schematic what is asked for. Existence of extensions depends on the release, so it is looked
 * at here and not when a schematic is submitted.
 *
 * @throws {FactoryError} with `ERR_FACTORY_EXTENSION`, `ERR_FACTORY_UNSUPPORTED`.
 */
export function checkOffered(
  { overlay, customization = {} }: Schematic,
  { kind, architecture, isSecureBoot }: Asset,
  release: Pick<LoadedRelease, 'extension' | 'grub'>,
): void {
  if (kind === 'kernel') return;
  for (const name of customization.systemExtensions?.officialExtensions ?? [])
    release.extension(architecture, name);
  if (overlay !== undefined) refuse('overlay: this release has none');
  const { bootloader = 'sd-boot' } = customization;
  if ((kind !== 'raw' && kind !== 'iso') || bootloader === 'sd-boot') return;
  if (isSecureBoot) refuse(`bootloader ${bootloader}: a BIOS has no Secure Boot`);
  if (release.grub(architecture) === undefined)
    refuse(
      `bootloader ${bootloader}: this release starts by UEFI alone on ${architecture}, as without bootloader or with sd-boot`,
    );
  if (kind === 'raw' && customization.diskImage?.sectorSize === 4096)
    refuse(`bootloader ${bootloader}: a BIOS starts no disk with sectors of 4096 bytes`);
}

function refuse(what: string): never {
  throw new FactoryError('ERR_FACTORY_UNSUPPORTED', what);
}
