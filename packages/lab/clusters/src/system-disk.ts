import { rename } from 'node:fs/promises';

import { gpt, partitionType } from '@nodecore/image';
import { metaSizeBytes } from '@nodecore/meta';
import { View } from '@nodecore/view';

import type { DiskShape } from './disk-copy.ts';

/**
 * Makes the system disk of a machine that does not start from it: a partition table with an empty META, by which the agent
 * knows its disk.
 *
 * @param recipe what the identifiers of the disk come from, another text for another disk.
 */
export async function makeSystemDisk(
  path: string,
  { sizeBytes, sectorSize = 512 }: DiskShape,
  recipe: string,
): Promise<void> {
  const content = View.of({ kind: 'hole', size: metaSizeBytes });
  const partitions = [{ label: 'META', type: partitionType.linux, content }];
  const part = `${path}.part`;
  await gpt({ recipe, sizeBytes, sectorSize, partitions }).writeTo(part);
  await rename(part, path);
}
