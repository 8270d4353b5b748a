import { access, readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

import type { FilesystemType } from '../spec.ts';

const programDirectories = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Where the system is looked at; another place in tests. */
export type SystemPlaces = {
  readonly root?: string;
  /** As `uname -r` says it. */
  readonly kernel?: string;
};

/**
 * What the running system lacks for a filesystem; undefined when nothing. Only btrfs may be missing: an image of the node OS has it by
 * the extension `os/btrfs`.
 */
export async function missingForFilesystem(
  type: FilesystemType,
  { root = '/', kernel = release() }: SystemPlaces = {},
): Promise<string | undefined> {
  if (type !== 'btrfs') return undefined;
  const lacks: string[] = [];
  if (!(await knows(type, root, kernel))) lacks.push('its driver in the kernel');
  if (!(await hasProgram('mkfs.btrfs', root))) lacks.push('the program mkfs.btrfs');
  return lacks.length === 0 ? undefined : lacks.join(' and ');
}

/** Loaded, built in, or a module that the kernel asks for by itself. */
async function knows(type: string, root: string, kernel: string): Promise<boolean> {
  const loaded = new RegExp(`^(?:nodev)?\\t${type}$`, 'mu');
  if (loaded.test(await textOf(join(root, 'proc/filesystems')))) return true;
  const module = new RegExp(`/${type}\\.ko(?:\\.\\w+)?(?::|$)`, 'mu');
  for (const name of ['modules.dep', 'modules.builtin'])
    for (const directory of ['lib/modules', 'usr/lib/modules'])
      if (module.test(await textOf(join(root, directory, kernel, name)))) return true;
  return false;
}

async function hasProgram(name: string, root: string): Promise<boolean> {
  for (const directory of programDirectories) {
    const found = await access(join(root, directory, name)).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return '';
    throw error;
  }
}
