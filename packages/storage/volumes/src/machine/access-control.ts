import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

/**
 * The mandatory access control by which the kernel refuses what labels of files do not allow, by its name; undefined where none is
 * enforced. Files of another machine have no labels of this one. See selinux(8).
 */
export async function enforcedAccessControl(sysfs: string = '/sys/fs'): Promise<string | undefined> {
  try {
    return (await readFile(join(sysfs, 'selinux/enforce'), 'latin1')).trim() === '1' ? 'SELinux' : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
