import { constants } from 'node:fs';
import { access, cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { mounts } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';

/**
 * Makes `/etc` of an image writable until the machine is switched off: a copy of it, in memory, is mounted over it. Where it is
 * writable already nothing is done: also after an agent before this one did it.
 *
 * @param run a directory that does not outlive the boot.
 */
export async function makeEtcWritable(run: string, etc = '/etc'): Promise<void> {
  try {
    await access(etc, constants.W_OK);
  } catch (error) {
    if (codeOf(error) !== 'EROFS') throw error;
    const copy = join(run, 'etc');
    const part = `${copy}.part`;
    for (const left of [part, copy]) await rm(left, { recursive: true, force: true }); // of an agent that was killed here
    await cp(etc, part, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await rename(part, copy);
    await mounts.bind({ source: copy, target: etc, options: { nosuid: true, nodev: true, noexec: true } });
  }
}
