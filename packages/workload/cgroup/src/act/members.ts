import { readdir, readFile } from 'node:fs/promises';

import { numbers } from '../files/format.ts';
import type { HeldCgroup } from './held-cgroup.ts';

/** A process by its number and its name, which is no longer than 15 bytes and holds no arguments (proc_pid_comm(5)). */
export type Member = { readonly pid: number; readonly name: string };

/** Numbers of all processes of a cgroup and below. One that goes meanwhile is left out. */
export async function processesOf(cgroup: HeldCgroup): Promise<readonly number[]> {
  return await within(Buffer.from(cgroup.directory));
}

/** The first processes of a cgroup and below with their names, and how many there are. */
export async function membersOf(
  cgroup: HeldCgroup,
  most: number,
): Promise<{ readonly count: number; readonly members: readonly Member[] }> {
  const pids = await processesOf(cgroup);
  const members = await Promise.all(
    pids.slice(0, most).map(async (pid) => ({ pid, name: (await textOf(`/proc/${pid}/comm`)).trim() })),
  );
  return { count: pids.length, members: members.filter(({ name }) => name !== '') };
}

/** By bytes: names of cgroups need not be UTF-8. */
async function within(directory: Buffer): Promise<readonly number[]> {
  const own = numbers(await textOf(inside(directory, Buffer.from('cgroup.procs')))) ?? [];
  const entries = await readdir(directory, { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
  const below: number[] = [];
  for (const entry of entries)
    if (entry.isDirectory()) below.push(...(await within(inside(directory, entry.name))));
  return [...own, ...below];
}

function inside(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from('/'), name]);
}

/** The text of a file; nothing when it is gone. */
async function textOf(path: string | Buffer): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}
