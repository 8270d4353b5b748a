import { readdir, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * The links below `/dev/disk`, by the name of the device they point to. None where no device manager makes any.
 * Links that are being replaced right now carry a temporary name and are left out.
 */
export async function diskSymlinks(root = '/dev/disk'): Promise<ReadonlyMap<string, readonly string[]>> {
  const links = new Map<string, string[]>();
  for (const path of await linksBelow(root)) {
    const target = await readlink(path).catch(() => undefined); // gone meanwhile
    if (target === undefined) continue;
    const id = basename(target);
    links.set(id, [...(links.get(id) ?? []), path]);
  }
  for (const paths of links.values()) paths.sort();
  return links;
}

async function linksBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isSymbolicLink() && !entry.name.startsWith('.#'))
    .map((entry) => join(entry.parentPath, entry.name));
}
