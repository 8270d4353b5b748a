import { execFile } from 'node:child_process';
import { stat, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

import { diskFile, ensureDisk } from '@nodecore/machine';

import type { ClusterDirectory } from './directory.ts';
import { ClusterError } from './errors.ts';
import type { PlannedNode } from './plan.ts';

const mib = 2 ** 20;

/**
 * Gives the disks of machines all of their blocks, so that no guest meets a full disk of this computer later. What is on them stays.
 * Where the filesystem can't, `tell` hears it, and the disks grow as they are written.
 *
 * @throws {ClusterError} `ERR_CLUSTER_PREFLIGHT` with what is needed and free, before any block is taken.
 */
export async function preallocateDisks(
  directory: ClusterDirectory,
  nodes: readonly PlannedNode[],
  tell: (line: string) => void,
  freeBytes: (path: string) => Promise<number> = freeOf,
): Promise<void> {
  const files: { readonly path: string; readonly sizeBytes: number }[] = [];
  let missing = 0;
  for (const node of nodes)
    for (const disk of node.disks) {
      const path = diskFile(disk, directory.node(node));
      await ensureDisk(path, disk.sizeBytes);
      const { size, blocks } = await stat(path);
      missing += Math.max(0, size - blocks * 512);
      files.push({ path, sizeBytes: size });
    }
  const free = await freeBytes(directory.path);
  if (missing > free) {
    const words = `the disks want ${Math.ceil(missing / mib)} MiB more, and ${Math.floor(free / mib)} MiB are free in ${directory.path}: make them smaller, or give --disk-preallocate=false`;
    throw new ClusterError('ERR_CLUSTER_PREFLIGHT', words);
  }
  try {
    for (const { path, sizeBytes } of files)
      await promisify(execFile)('fallocate', ['--length', String(sizeBytes), '--', path]);
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    tell(`disks grow as they are written: ${stderr.trim() || String(error)}`);
  }
}

async function freeOf(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
