import type { Inventory, Partition } from '@nodecore/block';
import { bootLoaderPath } from '@nodecore/boot';
import { type BootOptionRequest, ensureBootOption } from '@nodecore/efi';
import { codeOf } from '@nodecore/sys';

import type { Log } from '../log.ts';

/** The partition that the firmware is to start, on a disk with sectors of this size. */
export type BootPlace = {
  readonly partition: Pick<Partition, 'index' | 'partitionGuid' | 'offset' | 'size'>;
  readonly sectorSize: number;
};

export type FirmwareOptionParts = {
  readonly log: Log;
  readonly inventory: Pick<Inventory, 'volumes'> | undefined;
  /** `amd64` */
  readonly architecture: string;
  /** Of efivarfs; another one in tests. */
  readonly root?: string;
};

/**
 * Has the firmware start this partition by an option of its own. A firmware that refuses is no failure: it finds
 * `EFI/BOOT/BOOTX64.EFI` without one.
 *
 * @param order `first` behind an installation; behind an upgrade `present`: somebody may have chosen another order.
 * @returns what it refuses; undefined when all is well, and where no firmware keeps options.
 */
export async function tellFirmware(
  place: () => Promise<BootPlace>,
  order: BootOptionRequest['order'],
  { log, inventory, architecture, root }: FirmwareOptionParts,
): Promise<string | undefined> {
  const path = bootLoaderPath(architecture === 'arm64' ? 'arm64' : 'amd64').replaceAll('/', '\\');
  const known = new Set(inventory?.volumes.map(({ partitionUuid }) => partitionUuid.toLowerCase()));
  try {
    const { partition, sectorSize } = await place();
    const { index, partitionGuid, offset, size } = partition;
    const sector = BigInt(sectorSize);
    const result = await ensureBootOption({
      description: 'nodeos',
      file: {
        path,
        partition: { index, partitionGuid, startSector: offset / sector, sectors: size / sector },
      },
      order,
      // With no list of disks all of them may be there.
      hasPartition: (guid) => inventory === undefined || known.has(guid),
      ...(root !== undefined && { root }),
    });
    if (result?.changed === true) log.info({ option: result.name }, 'the firmware has a boot option');
    return undefined;
  } catch (error) {
    log.warn({ code: codeOf(error), err: error }, 'the firmware takes no boot option');
    return `the firmware takes no boot option (${codeOf(error) ?? 'internal error'}): it has to find the disk by itself`;
  }
}
