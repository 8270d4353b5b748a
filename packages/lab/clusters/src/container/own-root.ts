import { execFile } from 'node:child_process';
import { access, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { ContainerMount } from './parts.ts';

/** Where every node has room of its own for the place of a mount. */
const writable = ['/run/', '/tmp/', '/var/'];

/** Whether a mount needs a place in the root, which a runtime makes there. */
export function needsOwnRoot(mounts: readonly ContainerMount[]): boolean {
  return mounts.some(({ target }) => !writable.some((place) => target.startsWith(place)));
}

/**
 * A root of a cluster's own: the same files as in `tree`, and directories that nobody else sees. On another filesystem than that of
 * the tree it is a copy.
 */
export async function ownRoot(tree: string, path: string): Promise<string> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  const part = `${path}.part`;
  await rm(part, { recursive: true, force: true });
  const copy = promisify(execFile);
  await copy('cp', ['-al', '--', tree, part]).catch(async () => {
    await rm(part, { recursive: true, force: true });
    await copy('cp', ['-a', '--', tree, part]);
  });
  await rename(part, path);
  return path;
}
