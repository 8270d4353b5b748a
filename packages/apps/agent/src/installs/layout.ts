import { randomBytes } from 'node:crypto';

import type { ConstructionMark, Disk } from '@nodecore/block';
import { efiPartitionSizeBytes, type Enrollment, type EspFile, espFiles } from '@nodecore/boot';
import { fat32 } from '@nodecore/image';
import { metaSizeBytes } from '@nodecore/meta';
import { View } from '@nodecore/view';

import { InstallError } from './errors.ts';

/** What is written to the EFI partition. */
export type InstalledFiles = {
  readonly imageVersion: string;
  readonly uki: View;
  readonly systemdBoot: View;
  readonly architecture: string;
  /** Keys for the firmware, and when the boot loader enrols them. */
  readonly secureBoot?: Enrollment | undefined;
};

/** STATE, which the agent makes; both copies of the table, and what aligning takes. */
const restBytes = 104n << 20n;

/** Of a partition that an installation makes: what carries it after a crash was begun by one, and is no loss. */
export function efiMark(partitionGuid: string): ConstructionMark {
  return { volumeId: 'EFI', nonce: partitionGuid.toLowerCase().replaceAll('-', '') };
}

/** @throws {InstallError} `ERR_INSTALL_SPACE`, with how much is missing. */
export function requireRoom({ devPath, size }: Pick<Disk, 'devPath' | 'size'>, uki: View): void {
  const needed = BigInt(efiPartitionSizeBytes(uki.size)) + BigInt(metaSizeBytes) + restBytes;
  if (size >= needed) return;
  throw new InstallError(
    'ERR_INSTALL_SPACE',
    `${devPath} has ${size} bytes: ${needed - size} are missing for this release`,
  );
}

/** The whole EFI partition. Its random seed is the first of the machine, which the boot loader renews. */
export function efiPartition(
  files: InstalledFiles,
  place: { readonly partitionGuid: string; readonly sizeBytes: number; readonly sectorSize: number },
): View {
  const { imageVersion, uki, systemdBoot, architecture, secureBoot } = files;
  const { partitionGuid, sizeBytes, sectorSize } = place;
  if (sectorSize !== 512 && sectorSize !== 4096)
    throw new InstallError(
      'ERR_INSTALL_DISK',
      `firmware starts from no disk with sectors of ${sectorSize} bytes`,
    );
  const seed: EspFile = { path: '/loader/random-seed', content: View.of(randomBytes(32)) };
  const esp = espFiles({
    systemdBoot,
    entries: [{ imageVersion, sequence: 1, uki }],
    architecture: architecture === 'arm64' ? 'arm64' : 'amd64',
    ...(secureBoot && { secureBoot }),
  });
  return fat32({ recipe: partitionGuid, sizeBytes, sectorSize, label: 'EFI', files: [...esp, seed] });
}
