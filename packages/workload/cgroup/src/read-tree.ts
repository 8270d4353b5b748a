import { CgroupReader, type OpenOptions, type ReadOptions } from './reader.ts';
import type { CgroupTree } from './tree.ts';

/**
 * Reads a tree of cgroups once, and keeps nothing open for a second time. Who reads again opens a `CgroupReader`, which
 * is several times faster from the second scan on.
 *
 * @param directory of a cgroup; the root of the machine's cgroup v2 hierarchy by default.
 * @throws {CgroupError} `ERR_CGROUP_VERSION`, `ERR_CGROUP_NOT_FOUND`.
 */
export async function readTree(
  directory?: string,
  options: ReadOptions & Omit<OpenOptions, 'maxHeld'> = {},
): Promise<CgroupTree> {
  using reader = await CgroupReader.open(directory, { ...options, maxHeld: 0 });
  return await reader.read(options);
}
