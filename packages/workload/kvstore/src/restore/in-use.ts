import { readFile, stat } from 'node:fs/promises';

/**
 * The process that has a file locked, as etcd has its database; undefined when there is none that this process can see.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_locks.5.html
 */
export async function lockHolder(path: string): Promise<number | undefined> {
  let file;
  try {
    file = await stat(path, { bigint: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  for (const line of (await readFile('/proc/locks', 'utf8')).split('\n')) {
    // 1: FLOCK  ADVISORY  WRITE 4321 fe:00:131090 0 EOF
    const [, pid, inode] = /^\d+: \S+ +\S+ +\S+ (-?\d+) \S+:(\d+) /.exec(line) ?? [];
    // The device of a subvolume is not the one that stat(2) says: the inode alone decides, and errs on the safe side.
    if (inode !== undefined && BigInt(inode) === file.ino) return Number(pid);
  }
  return undefined;
}
