import { open } from 'node:fs/promises';
import { join } from 'node:path';

import type { ExecutionContext } from 'ava';

import { command, output } from './command.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type LoopDeviceOptions = {
  /** Size of a new sparse backing file; ignored with `file`. */
  readonly sizeBytes?: number;
  /** Logical sector size, 512 by default. */
  readonly sectorSize?: 512 | 1024 | 2048 | 4096;
  /** An existing backing file. */
  readonly file?: string;
};

/** A block device on a file: `path` is the device, `file` what is behind it. */
export type LoopDevice = {
  readonly path: string;
  readonly file: string;
  /** Detaches before the test ends. Twice is fine. */
  detach(): Promise<void>;
};

/**
 * Attaches a loop device with partition scanning; it goes away after the test. A device that is still in use then
 * fails the test: somebody forgot to unmount or close it.
 */
export async function loopDevice(t: ExecutionContext, options: LoopDeviceOptions): Promise<LoopDevice> {
  const file = options.file ?? join(await temporaryDirectory(t), 'disk.img');
  if (options.file === undefined) {
    await using handle = await open(file, 'w');
    await handle.truncate(options.sizeBytes ?? 64 << 20);
  }
  const sectorSize = String(options.sectorSize ?? 512);
  const shown = await output([
    'losetup',
    '--find',
    '--show',
    '--partscan',
    '--sector-size',
    sectorSize,
    file,
  ]);
  const path = shown.trim();
  let attached = true;
  const detach = async (): Promise<void> => {
    if (!attached) return;
    attached = false;
    await output(['losetup', '--detach', path]);
    const still = await command(['losetup', '--noheadings', '--output', 'BACK-FILE', path]);
    // The kernel detaches at the last close: a device that stays has an owner who forgot it.
    if (still.stdout.trim().startsWith(file)) throw new Error(`${path} is still in use after the test`);
  };
  t.teardown(detach);
  return { path, file, detach };
}
