import { readFileSync } from 'node:fs';

/** What distinguishes this boot of the machine from all others: random, made by its kernel. */
export function currentBootId(path: string = '/proc/sys/kernel/random/boot_id'): string {
  return readFileSync(path, 'utf8').trim();
}
