import { randomBytes } from 'node:crypto';

import type { ConstructionMark, Disk } from '@nodecore/block';
import {
  efiPartitionSizeBytes,
  type Enrollment,
  type EspFile,
  espFiles,
  grubFiles,
  type GrubPrograms,
} from '@nodecore/boot';
import { readPe } from '@nodecore/efi';
import { fat32, partitionType } from '@nodecore/image';
import { metaSizeBytes } from '@nodecore/meta';
import { View } from '@nodecore/view';

import { InstallError } from './errors.ts';

/** The boot loader of a machine, with what it needs beside the release. */
export type InstalledLoader =
  | {
      readonly kind: 'systemd-boot';
      readonly program: View;
      /** Keys for the firmware, and when the boot loader enrols them. */
      readonly secureBoot?: Enrollment | undefined;
    }
  | { readonly kind: 'grub'; readonly programs: GrubPrograms };

/** What is written to the partition that the machine starts from. */
export type InstalledFiles = {
  readonly imageVersion: string;
  readonly uki: View;
  readonly architecture: string;
  readonly loader: InstalledLoader;
};

/** More than the core image needs: what marks a partition as begun has no room in one of a MiB. */
export const installedBiosBytes: bigint = 4n << 20n;

/** STATE, which the agent makes; both copies of the table, and what aligning takes. */
const restBytes = 104n << 20n;

/** Of partitions that an installation makes before META. */
export type BootLabel = 'EFI' | 'BOOT' | 'BIOS';

export const bootLabels: ReadonlySet<string> = new Set<BootLabel>(['EFI', 'BOOT', 'BIOS']);

/** The partition that the boot loader reads. */
export const bootPartitions: Readonly<
  Record<InstalledLoader['kind'], { readonly label: BootLabel; readonly typeGuid: string }>
> = {
  'systemd-boot': { label: 'EFI', typeGuid: partitionType.efi },
  grub: { label: 'BOOT', typeGuid: partitionType.linux },
};

/** Of a partition that an installation makes: what carries it after a crash was begun by one, and is no loss. */
export function constructionMark(label: string, partitionGuid: string): ConstructionMark {
  return { volumeId: label, nonce: partitionGuid.toLowerCase().replaceAll('-', '') };
}

/** @throws {InstallError} `ERR_INSTALL_SPACE`, with how much is missing. */
export function requireRoom({ devPath, size }: Pick<Disk, 'devPath' | 'size'>, uki: View): void {
  const boot = BigInt(efiPartitionSizeBytes(uki.size)) + installedBiosBytes;
  const needed = boot + BigInt(metaSizeBytes) + restBytes;
  if (size >= needed) return;
  throw new InstallError(
    'ERR_INSTALL_SPACE',
    `${devPath} has ${size} bytes: ${needed - size} are missing for this release`,
  );
}

/** The whole partition that the machine starts from, EFI or BOOT. @throws {InstallError}, {BootError} */
export async function bootPartition(
  files: InstalledFiles,
  place: { readonly partitionGuid: string; readonly sizeBytes: number; readonly sectorSize: number },
): Promise<View> {
  const { imageVersion, uki, loader, architecture } = files;
  const { partitionGuid, sizeBytes, sectorSize } = place;
  const starts = loader.kind === 'grub' ? [512] : [512, 4096];
  if ((sectorSize !== 512 && sectorSize !== 4096) || !starts.includes(sectorSize))
    throw new InstallError(
      'ERR_INSTALL_DISK',
      `firmware starts from no disk with sectors of ${sectorSize} bytes`,
    );
  const entry = { imageVersion, sequence: 1, uki };
  const content =
    loader.kind === 'grub'
      ? await grubFiles({ entries: [entry], readSections: readPe })
      : [
          ...espFiles({
            systemdBoot: loader.program,
            entries: [entry],
            architecture: architecture === 'arm64' ? 'arm64' : 'amd64',
            ...(loader.secureBoot && { secureBoot: loader.secureBoot }),
          }),
          firstSeed(),
        ];
  const { label } = bootPartitions[loader.kind];
  return fat32({ recipe: partitionGuid, sizeBytes, sectorSize, label, files: content });
}

/** The first random seed of the machine, which the boot loader renews. */
function firstSeed(): EspFile {
  return { path: '/loader/random-seed', content: View.of(randomBytes(32)) };
}
