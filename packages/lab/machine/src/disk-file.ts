import { open } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

import type { DiskSpec } from './spec.ts';

/** The raw file behind a disk of a machine in `directory`. */
export function diskFile(disk: DiskSpec, directory: string): string {
  if (disk.file === undefined) return join(directory, `${disk.serial}.disk`);
  return isAbsolute(disk.file) ? disk.file : join(directory, disk.file);
}

/** Makes the file of a disk, sparse and blank; one that is there stays as it is. */
export async function ensureDisk(path: string, sizeBytes: number): Promise<void> {
  const file = await open(path, 'a');
  try {
    const { size } = await file.stat();
    if (size === 0) await file.truncate(sizeBytes);
  } finally {
    await file.close();
  }
}
