import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { codeOf, makeDirectory } from '@nodecore/sys';

import type { BootImage, KernelImage } from './boot-image.ts';
import type { ClusterDirectory } from './directory.ts';
import { syncFile } from './disk-copy.ts';
import { ClusterError } from './errors.ts';
import { lockBoot, lockSyncing } from './lock.ts';
import { requireOwn } from './place.ts';

/** The files of this computer that a kernel is started from. */
export type KernelFiles = Pick<KernelImage, 'kernel' | 'initrd'>;

const names = ['kernel', 'initrd'] as const;

/** What the machines of a cluster are started from: an image of the plan, with files of the cluster's own in place of those that it names. */
export async function currentImage(directory: ClusterDirectory, image: BootImage): Promise<BootImage> {
  if (!('kernel' in image)) return image;
  const own = names.map(async (name) => {
    const path = join(directory.boot, name);
    return (await isThere(path)) ? path : image[name];
  });
  const [kernel, initrd] = (await Promise.all(own)) as [string, string];
  return { ...image, kernel, initrd };
}

/**
 * Gives a cluster a kernel and a first filesystem of its own, where they are others than those that its machines start from now. Each is
 * replaced whole; machines that run start from them the next time.
 *
 * @returns which of them were others.
 * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`, `ERR_CLUSTER_STATE`; `ERR_CLUSTER_REQUEST` for one whose machines start from no kernel;
 * `ERR_CLUSTER_IMAGE` for a file that can't be read. Nothing is changed then.
 */
export async function syncKernel(
  directory: ClusterDirectory,
  files: KernelFiles,
): Promise<Readonly<Record<keyof KernelFiles, boolean>>> {
  const { request } = await directory.requirePlan();
  await requireOwn(directory.path);
  await using _syncing = await lockSyncing(directory); // what two copy at once would be of both
  const now = await currentImage(directory, request.image);
  if (!('kernel' in now)) {
    const words = `the machines of ${directory.name} start from no kernel of this computer: there is nothing to bring up to date`;
    throw new ClusterError('ERR_CLUSTER_REQUEST', words);
  }
  await makeDirectory(directory.boot);
  const changed = { kernel: false, initrd: false };
  try {
    for (const name of names) {
      const wanted = await digestOf(files[name], true);
      changed[name] = wanted !== (await digestOf(now[name], false));
      if (changed[name]) await copyWhole(files[name], partOf(directory, name));
    }
    // Both are there before one is exchanged: they go together, also for a machine that starts now, which waits for no more than that.
    await using _lock = await lockBoot(directory);
    for (const name of names)
      if (changed[name]) await rename(partOf(directory, name), join(directory.boot, name));
  } finally {
    for (const name of names) await rm(partOf(directory, name), { force: true });
  }
  return changed;
}

/** One name for all: what a process that was killed has left half goes with the next. The keeper has `kernel.part` for what it fetches. */
function partOf(directory: ClusterDirectory, name: string): string {
  return join(directory.boot, `${name}.synced.part`);
}

async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await syncFile(to);
}

/** Undefined for one that is gone, where it need not be there. */
async function digestOf(path: string, isNeeded: boolean): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch (error) {
    if (!isNeeded && codeOf(error) === 'ENOENT') return undefined;
    throw new ClusterError('ERR_CLUSTER_IMAGE', `${path} can't be read: ${String(codeOf(error))}`, {
      cause: error,
    });
  }
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
