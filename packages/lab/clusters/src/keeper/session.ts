import { readdir } from 'node:fs/promises';

import { identityOf, killExactly, type ProcessIdentity, processStat } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

const pollMs = 5;

/**
 * Ends every process of a session whose leader has just ended, and waits until they are gone: also one that was forked and has not
 * become its program yet. As long as one is left, no other session can get the leader's id.
 */
export async function endSession(leader: ProcessIdentity): Promise<void> {
  for (;;) {
    const members = await membersOf(leader.pid);
    // A new process with the leader's id may lead a session of its own: then nobody of the old one is left.
    if (members.length === 0 || identityOf(leader.pid) !== undefined) return;
    for (const member of members) killExactly(member);
    await systemClock.sleep(pollMs);
  }
}

async function membersOf(session: number): Promise<readonly ProcessIdentity[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const isMember = (pid: number): boolean => processStat(pid)[6] === String(session);
  return pids.flatMap((pid) => (isMember(pid) ? (identityOf(pid) ?? []) : []));
}
