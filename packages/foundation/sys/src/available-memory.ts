import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from './coded-error.ts';

/** Where procfs and the cgroup hierarchy are mounted; other directories in tests. */
export type MemorySource = { readonly proc: string; readonly cgroup: string };

const kernel: MemorySource = { proc: '/proc', cgroup: '/sys/fs/cgroup' };

/**
 * The memory that this process can still have without the kernel killing a process, in KiB: the least of what the machine
 * has available with its swap, and what the limits of the process's cgroups (v2) leave.
 */
export async function availableMemoryKib(source: MemorySource = kernel): Promise<number> {
  const [machine, cgroups] = await Promise.all([machineKib(source), cgroupsKib(source)]);
  return Math.min(machine, cgroups);
}

/** MemFree in KiB: not even the page cache uses it, so it is usually little, which is no sign of a shortage. */
export async function unusedMemoryKib({ proc }: MemorySource = kernel): Promise<number> {
  return fieldOf(await readFile(join(proc, 'meminfo'), 'utf8'), 'MemFree:');
}

async function machineKib({ proc }: MemorySource): Promise<number> {
  // proc(5): MemAvailable counts what can be reclaimed without swapping.
  const text = await readFile(join(proc, 'meminfo'), 'utf8');
  return fieldOf(text, 'MemAvailable:') + fieldOf(text, 'SwapFree:');
}

async function cgroupsKib({ proc, cgroup }: MemorySource): Promise<number> {
  // cgroups(7): version 2 is the line with the hierarchy 0 and no controllers.
  const line = /^0::(.*)$/m.exec(await readFile(join(proc, 'self/cgroup'), 'utf8'));
  if (line?.[1] === undefined) return Infinity;
  // A limit holds for everything below it. The root has none.
  const names = line[1].split('/').filter((name) => name !== '' && name !== '..');
  const paths = names.map((_, index) => join(cgroup, ...names.slice(0, index + 1)));
  return Math.min(Infinity, ...(await Promise.all(paths.map((path) => cgroupKib(path)))));
}

/** What one cgroup leaves to its members, in KiB; inactive pages of files count as free. */
async function cgroupKib(path: string): Promise<number> {
  const limit = await textOf(join(path, 'memory.max'));
  // Absent: the controller is not enabled there, or the cgroup is outside of what this process may see.
  if (limit === undefined || limit.trim() === 'max') return Infinity;
  const current = Number(await textOf(join(path, 'memory.current')));
  const reclaimable = fieldOf((await textOf(join(path, 'memory.stat'))) ?? '', 'inactive_file');
  return Math.max(0, Math.floor((Number(limit) - (current - reclaimable)) / 1024));
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The number after a name at the beginning of a line; 0 when there is none. */
function fieldOf(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number.parseInt(line?.slice(name.length) ?? '0', 10);
}
