import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

import { LanError } from './errors.ts';

/**
 * The shell is of both namespaces from its first moment, as unshare is not: who took that for the holder too early would take its
 * own network for the cluster's, and end all that runs in it. What the shell is called is how it is found, so it becomes nothing else;
 * what it waits for ends with it, however and whenever it is killed: also when that was before the kernel was asked to say so.
 */
const sleeper = `setpriv --pdeathsig KILL sh -c '[ "$PPID" = "$1" ] && exec sleep infinity' sh $$`;
const script = `echo; exec >/dev/null; while ${sleeper}; do :; done`;
const marker = 'nodecore-namespace';
/** In the environment of what runs inside, so that it is found when who held the namespace was killed. */
const memberVariable = 'NODECORE_NAMESPACE';

/**
 * Makes a network namespace in a user namespace where whoever calls is root, and leaves a process that holds both. Needs no
 * privileges. A file cannot hold it, as that is for root alone to mount.
 *
 * @throws {LanError} `ERR_LAN_COMMAND` where this computer lets nobody but root make namespaces.
 */
export async function startHolder(name: string): Promise<void> {
  await hold(name, ['unshare', '--user', '--map-root-user', '--net', '--fork', '--kill-child', '--']);
}

/**
 * Has another process hold a namespace whose holder was killed, and which is there as long as something runs in it.
 *
 * @param member a process inside.
 * @throws {LanError} `ERR_LAN_COMMAND` when that has ended meanwhile.
 */
export async function holdAgain(name: string, member: number): Promise<void> {
  const own = [`--user=/proc/${member}/ns/user`, '--preserve-credentials', `--net=/proc/${member}/ns/net`];
  await hold(name, ['nsenter', ...own, '--']);
}

/** The environment of a program that is to run in a namespace. */
export function memberEnvironment(name: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, [memberVariable]: name };
}

async function hold(name: string, [file = '', ...words]: readonly string[]): Promise<void> {
  const argv = [...words, 'sh', '-c', script, marker, name];
  const child = spawn(file, argv, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const said: Buffer[] = [];
  child.stderr.on('data', (data: Buffer) => void said.push(data));
  const failed = once(child, 'close').then(() => {
    const reason = Buffer.concat(said).toString('utf8').trim();
    throw new LanError('ERR_LAN_COMMAND', `no namespace without root: ${reason}`);
  });
  failed.catch(() => {});
  await Promise.race([once(child.stdout, 'data'), failed]);
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
}

/** Id of the process that holds a namespace of this user; undefined when there is none. */
export function findHolder(name: string): number | undefined {
  return processIds().find((pid) => isHolder(pid, name));
}

/** Id of a process of this user that runs in a namespace, whether anybody holds it or not; undefined when none does. */
export function findMember(name: string): number | undefined {
  return processIds().find((pid) => isMember(pid, name));
}

function processIds(): readonly number[] {
  const pids = readdirSync('/proc').filter((each) => /^\d+$/.test(each));
  return pids.map(Number);
}

/** Whether a process holds a namespace, and is this user's: anybody may call a process anything. */
export function isHolder(pid: number, name: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (words[0] !== 'sh' || words.at(-3) !== marker || words.at(-2) !== name) return false;
    return isApart(pid);
  } catch {
    return false; // it has ended
  }
}

function isMember(pid: number, name: string): boolean {
  try {
    // That of somebody else's process can't be read.
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.includes(`${memberVariable}=${name}`) && isApart(pid);
  } catch {
    return false;
  }
}

/** It is this user's, and in another network: what is in this one would be ended. */
function isApart(pid: number): boolean {
  if (readlinkSync(`/proc/${pid}/ns/net`) === readlinkSync('/proc/self/ns/net')) return false;
  return statSync(`/proc/${pid}`).uid === process.getuid?.();
}
