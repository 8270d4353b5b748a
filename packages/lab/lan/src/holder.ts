import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

import { LanError } from './errors.ts';

/**
 * The shell is of both namespaces from its first moment, as unshare is not: who took that for the holder too early would take its
 * own network for the cluster's, and end all that runs in it. What the shell is called is how it is found, so it becomes nothing else;
 * what it waits for ends with it, however it is killed.
 */
const script = 'echo; exec >/dev/null; while setpriv --pdeathsig KILL sleep infinity; do :; done';
const marker = 'nodecore-namespace';

/**
 * Makes a network namespace in a user namespace where whoever calls is root, and leaves a process that holds both. Needs no
 * privileges. A file cannot hold it, as that is for root alone to mount.
 *
 * @throws {LanError} `ERR_LAN_COMMAND` where this computer lets nobody but root make namespaces.
 */
export async function startHolder(name: string): Promise<void> {
  const own = ['--user', '--map-root-user', '--net', '--fork', '--kill-child'];
  const argv = [...own, '--', 'sh', '-c', script, marker, name];
  const child = spawn('unshare', argv, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const said: Buffer[] = [];
  child.stderr.on('data', (data: Buffer) => void said.push(data));
  const failed = once(child, 'close').then(() => {
    const words = Buffer.concat(said).toString('utf8').trim();
    throw new LanError('ERR_LAN_COMMAND', `no namespace without root: ${words}`);
  });
  failed.catch(() => {});
  await Promise.race([once(child.stdout, 'data'), failed]);
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
}

/** Id of the process that holds a namespace of this user; undefined when there is none. */
export function findHolder(name: string): number | undefined {
  const pids = readdirSync('/proc').filter((each) => /^\d+$/.test(each));
  return pids.map(Number).find((pid) => isHolder(pid, name));
}

/** Whether a process holds a namespace, and is this user's: anybody may call a process anything. */
export function isHolder(pid: number, name: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (words[0] !== 'sh' || words.at(-3) !== marker || words.at(-2) !== name) return false;
    if (readlinkSync(`/proc/${pid}/ns/net`) === readlinkSync('/proc/self/ns/net')) return false;
    return statSync(`/proc/${pid}`).uid === process.getuid?.();
  } catch {
    return false; // it has ended
  }
}
