import { readdir, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Paths of links by the node that they point to, named as below `/dev`: `sda1`, `cciss/c0d0`. */
export type DeviceLinks = ReadonlyMap<string, readonly string[]>;

/**
 * The links below `/dev/disk`, by the node they point to. None where nobody makes any.
 * Links that are being replaced right now carry a temporary name and are left out.
 */
export async function diskSymlinks(root = '/dev/disk'): Promise<DeviceLinks> {
  const links = new Map<string, string[]>();
  const nodes = `${resolve(root, '..')}/`;
  for (const path of await linksBelow(root)) {
    const target = await readlink(path).catch(() => undefined); // gone meanwhile
    if (target === undefined) continue;
    const node = resolve(path, '..', target);
    if (!node.startsWith(nodes)) continue;
    const id = node.slice(nodes.length);
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
