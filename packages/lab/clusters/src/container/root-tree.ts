import { execFile } from 'node:child_process';
import { access, chmod, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { codeOf, makeDirectory } from '@nodecore/sys';

import { ClusterError } from '../errors.ts';
import { knownDigest } from './known-digest.ts';
import { findRoot } from './root-image.ts';

/**
 * The root of containers as a directory, unpacked once for each content; all nodes share it, and none writes to it.
 *
 * @param path of a squashfs, or of a first filesystem with one.
 * @param cache directory; what a killed process has left there is no root.
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE`
 */
export async function rootTree(
  path: string,
  cache: string,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  await access(path).catch((cause: unknown) => {
    throw new ClusterError('ERR_CLUSTER_IMAGE', `there is no image ${path}`, { cause });
  });
  const extent = await findRoot(path);
  const digest = await knownDigest(path, extent, join(cache, 'digests'), signal);
  const tree = join(cache, 'roots', digest);
  if (await isThere(tree)) return tree;
  tell(`root of the nodes from ${path}`);
  await makeDirectory(join(cache, 'roots'));
  const part = `${tree}.${process.pid}.part`;
  await rm(part, { recursive: true, force: true });
  try {
    const words = ['-quiet', '-no-progress', '-offset', `${extent.offset}`, '-dest', part, path];
    await promisify(execFile)('unsquashfs', words, { signal }).catch((cause: unknown) => {
      signal.throwIfAborted();
      const { stderr = '' } = cause as { readonly stderr?: string };
      throw new ClusterError('ERR_CLUSTER_IMAGE', `${path} can't be unpacked: ${stderr.trim()}`, { cause });
    });
    await chmod(part, 0o755);
    // Another cluster may have made the same one meanwhile.
    await rename(part, tree).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return tree;
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
