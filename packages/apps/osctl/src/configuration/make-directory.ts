import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { codeOf } from '@nodecore/sys';

/**
 * Makes a directory for its owner alone, and those on the way to it; one that is there stays as it is. `mkdir` of Node.js with
 * `recursive` never ends where a filesystem, such as /proc, says that a directory in one that is there can't be found.
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && (await isDirectory(path))) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path || (await isDirectory(parent))) throw error;
    await makeDirectory(parent);
    await mkdir(path, { mode: 0o700 });
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
