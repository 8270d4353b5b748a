import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { Sysfs } from '../../src/facts/sysfs.ts';

/**
 * A directory that looks like `/sys`: attributes by path, links as `'-> path'`, both below the root. The trees of the
 * tests are cut from Debian's Linux 6.1 in QEMU 7.2 (November 2026).
 */
export async function sysfsTree(
  t: ExecutionContext,
  tree: Readonly<Record<string, string | Uint8Array>>,
): Promise<Sysfs> {
  const root = await temporaryDirectory(t);
  for (const [path, content] of Object.entries(tree)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    const target = typeof content === 'string' ? /^-> (.*)$/.exec(content)?.[1] : undefined;
    if (target === undefined) await writeFile(file, content);
    else await symlink(relative(dirname(file), join(root, target)), file);
  }
  return new Sysfs(root);
}

/** The attributes that every disk has. */
export function diskAttributes(
  directory: string,
  values: { readonly name: string; readonly number: string; readonly sectors: bigint },
): Record<string, string> {
  const { name, number, sectors } = values;
  const [major = '', minor = ''] = number.split(':');
  return {
    [`block/${name}`]: `-> ${directory}`,
    [`${directory}/dev`]: `${number}\n`,
    [`${directory}/uevent`]: `MAJOR=${major}\nMINOR=${minor}\nDEVNAME=${name.replaceAll('!', '/')}\nDEVTYPE=disk\nDISKSEQ=9\n`,
    [`${directory}/size`]: `${sectors}\n`,
    [`${directory}/ro`]: '0\n',
    [`${directory}/hidden`]: '0\n',
    [`${directory}/subsystem`]: '-> class/block',
    [`${directory}/queue/optimal_io_size`]: '0\n',
    [`${directory}/queue/minimum_io_size`]: '512\n',
    [`${directory}/queue/logical_block_size`]: '512\n',
    [`${directory}/queue/rotational`]: '0\n',
  };
}
