import { backupPlaces, defaultStarts } from '../proof/backup-places.ts';
import { edgeBytes } from '../proof/device-edges.ts';
import type { DeviceFile } from '../devices/device-file.ts';
import { isZero } from '../content/gpt-header.ts';
import { spreadWindows } from '../proof/windows.ts';

/**
 * Zeroes what a proof of emptiness reads between both ends of a device whose owner wants its content gone: a disk that does
 * not discard is free for the next volume, although most of the old bytes are still there. What is zero is not written.
 */
export async function zeroProofPlaces(device: DeviceFile, signal?: AbortSignal): Promise<void> {
  const { sizeBytes, sectorSize } = device;
  const middle = { offset: edgeBytes, size: sizeBytes - 2n * edgeBytes };
  if (middle.size <= 0n) return;
  const places = [
    ...backupPlaces(sizeBytes, defaultStarts(sizeBytes, sectorSize), middle),
    ...spreadWindows(middle),
  ];
  for (const { offset, size } of places) {
    signal?.throwIfAborted();
    if (!(await device.inspect(offset, Number(size), isZero))) await device.zero(offset, size);
  }
  await device.dropCache();
}
