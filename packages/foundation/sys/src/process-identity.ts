import { readFileSync } from 'node:fs';

import { codeOf } from './coded-error.ts';

/** A process as its id and start time: an id alone may have been given to somebody else since. */
export type ProcessIdentity = { readonly pid: number; readonly startTime: string };

/** The identity of a running process; undefined when there is none with that id. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc_pid_stat(5): the name in parentheses may hold anything, so count from its end. Field 3 is the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const startTime = fields[22 - 3];
    if (startTime === undefined || fields[0] === 'Z') return undefined;
    return { pid, startTime };
  } catch {
    return undefined;
  }
}

/** Whether exactly this process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startTime === identity.startTime;
}

/** Ends this process and no other that has its id by now. */
export function killExactly(identity: ProcessIdentity): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** Reads what `JSON.stringify` made of an identity; undefined for anything else. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startTime' in value))
      return undefined;
    const { pid, startTime } = value;
    if (typeof pid !== 'number' || !Number.isInteger(pid) || typeof startTime !== 'string') return undefined;
    return { pid, startTime };
  } catch {
    return undefined;
  }
}
