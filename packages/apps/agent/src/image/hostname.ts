import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

/** What the kernel calls a machine that nobody has named. */
export const unnamed: ReadonlySet<string> = new Set(['(none)', 'localhost', '']);

/** The name of a node that has none: the same at every boot of the machine, and of no other. */
export function hostnameOf(machineUuid: string): string {
  return `node-${createHash('sha256').update(`hostname ${machineUuid}`).digest('hex').slice(0, 8)}`;
}

/** Names the machine until it is switched off. Needs root. */
export async function setHostname(name: string, path: string = '/proc/sys/kernel/hostname'): Promise<void> {
  await writeFile(path, name, { flag: 'r+' });
}
