import { closeSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';

import { codeOf } from './coded-error.ts';
import { pidfdOpen, pidfdSendSignal } from './ffi-pidfd.ts';

/** A process as its id and start time: an id alone may have been given to somebody else since. */
export type ProcessIdentity = { readonly pid: number; readonly startTime: string };

/** The identity of a running process; undefined when there is none with that id. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const { 3: state, 22: startTime } = processStat(pid);
  return startTime === undefined || state === 'Z' ? undefined : { pid, startTime };
}

/**
 * What the kernel says of a process in one line, numbered as in proc_pid_stat(5); the first two, its id and its name, are left out. None
 * for one that has ended.
 */
export function processStat(pid: number): Readonly<Record<number, string>> {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, so count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Object.fromEntries(fields.map((field, index) => [index + 3, field]));
  } catch {
    return {};
  }
}

/** Whether exactly this process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startTime === identity.startTime;
}

/** Ends this process and no other that has its id by now. */
export function killExactly(identity: ProcessIdentity): void {
  killWhere(identity.pid, () => isRunning(identity));
}

/**
 * Ends the process that has an id, when it is the one that is meant. The kernel holds it while it is looked at: one that gets the id
 * meanwhile is not ended.
 *
 * @param is whether the process with that id is meant, by what `/proc` says of it
 * @throws {Error} of the system, `EPERM`, for a process of another user
 */
export function killWhere(pid: number, is: () => boolean): void {
  if (!is()) return;
  const descriptor = pidfdOpen(pid);
  try {
    if (descriptor >= 0 && !is()) return;
    if (descriptor < 0 || pidfdSendSignal(descriptor, constants.signals.SIGKILL) !== 0) endById(pid, is);
  } finally {
    if (descriptor >= 0) closeSync(descriptor);
  }
}

/** For Linux before 5.3, and to learn why it failed. */
function endById(pid: number, is: () => boolean): void {
  if (!is()) return;
  try {
    process.kill(pid, 'SIGKILL');
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
