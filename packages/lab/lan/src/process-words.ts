import { readFileSync } from 'node:fs';

/** The command line of a process; no word of one that has ended. */
export function wordsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [''];
  }
}
