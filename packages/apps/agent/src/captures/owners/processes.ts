import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

import { readSockets, socketFiles, type SocketTable } from './socket-table.ts';

/** Asked at once; each takes a thread of the pool for some microseconds. */
const atOnce = 16;

async function forEachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += atOnce) await Promise.all(items.slice(at, at + atOnce).map(work));
}

/** What can't be read belongs to a process that has ended, or that the agent may not read. */
export async function ifThere<Answer>(read: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read;
  } catch (error) {
    if (!isGone(codeOf(error))) throw error;
    return undefined;
  }
}

/** Anything else, such as a lack of descriptors, says nothing of whose a packet is. */
function isGone(code: string | undefined): boolean {
  return code !== undefined && ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR', 'EINVAL'].includes(code);
}

/** @param directory `/proc`. */
export async function processIds(directory: string): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => /^[1-9]\d*$/.test(name));
}

/** The sockets of each network namespace that a process is in, ours first. */
export async function socketTables(
  directory: string,
  pids: readonly string[],
): Promise<readonly SocketTable[]> {
  const byNamespace = new Map<string, string>();
  const note = async (pid: string): Promise<void> => {
    const namespace = await ifThere(readlink(join(directory, pid, 'ns/net')));
    if (namespace !== undefined && !byNamespace.has(namespace)) byNamespace.set(namespace, pid);
  };
  await note('self');
  await forEachOf(pids, note);
  return await Promise.all([...byNamespace.values()].map((pid) => socketTable(join(directory, pid, 'net'))));
}

async function socketTable(directory: string): Promise<SocketTable> {
  const table = new Map<string, string>();
  for (const file of socketFiles) {
    const text = await ifThere(readFile(join(directory, file), 'latin1'));
    if (text !== undefined) readSockets(file, text, table);
  }
  return table;
}

/** Which process has each of these sockets open: the first, where several do. */
export async function processesOf(
  inodes: ReadonlySet<string>,
  directory: string,
  pids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await forEachOf(pids, async (pid) => {
    if (found.size === inodes.size) return;
    for (const fd of (await ifThere(readdir(join(directory, pid, 'fd')))) ?? []) {
      const target = await ifThere(readlink(join(directory, pid, 'fd', fd)));
      const inode = /^socket:\[(\d+)\]$/.exec(target ?? '')?.[1];
      if (inode !== undefined && inodes.has(inode) && !found.has(inode)) found.set(inode, pid);
    }
  });
  return found;
}
