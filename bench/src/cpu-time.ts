import { readFile } from 'node:fs/promises';

/** Where proc_pid_stat(5) has utime and stime, and cutime and cstime, behind the name of the program. */
const places = { own: [11, 12], children: [13, 14] } as const;

/**
 * Milliseconds of processor time that a process has used with all its threads, or its children that have ended, and theirs.
 * The kernel tells hundredths of a second: measure many of them.
 */
export async function cpuMs(pid: number, whose: keyof typeof places): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = places[whose];
  return (Number(fields[user]) + Number(fields[system])) * 10;
}
