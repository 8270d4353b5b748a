import { globSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { ExecutionContext } from 'ava';

import { output } from './command.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type LoopDeviceOptions = {
  /** Size of a new sparse backing file; ignored with `file`. */
  readonly sizeBytes?: number;
  /** Logical sector size, 512 by default. */
  readonly sectorSize?: 512 | 1024 | 2048 | 4096;
  /** An existing backing file. */
  readonly file?: string;
  /** Past the page cache of the backing file, whose errors are then those of the device. */
  readonly directIo?: boolean;
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
    ...(options.directIo === true ? ['--direct-io=on'] : []),
    file,
  ]);
  const path = shown.trim();
  let attached = true;
  const detach = async (): Promise<void> => {
    if (!attached) return;
    attached = false;
    await output(['losetup', '--detach', path]);
    // The kernel detaches at the last close. A scan of all disks, in another process perhaps, has it open for a moment;
    // a mount or something stacked on it stays, and would keep the device. What stays for another reason is found at
    // the end of the run.
    const users = await usersOf(path);
    if (users.length > 0) throw new Error(`${path} is still in use after the test: ${users.join(', ')}`);
  };
  t.teardown(detach);
  return { path, file, detach };
}

/** Mounts of the device and its partitions, and devices stacked on it. */
async function usersOf(path: string): Promise<string[]> {
  const name = path.slice('/dev/'.length);
  const mounts = (await readFile('/proc/self/mounts', 'utf8'))
    .split('\n')
    .filter((line) => new RegExp(`^${path}(p\\d+)? `).test(line))
    .map((line) => `mounted on ${line.split(' ')[1]}`);
  const holders = globSync([`/sys/block/${name}/holders/*`, `/sys/block/${name}/${name}p*/holders/*`]);
  return [...mounts, ...holders.map((holder) => `${basename(holder)} is stacked on it`)];
}
