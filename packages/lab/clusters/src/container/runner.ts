import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';

import { type MachineRecord } from '@nodecore/machine/kept';
import { ended, identityOf, isRunning, type ProcessIdentity, readyFile } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { ClusterError } from '../errors.ts';
import type { ContainerPlace } from './place.ts';
import { runtimeCommand } from './runtime.ts';

/**
 * A shell that runs the container when it is told to, ends when nobody is there any more to tell it, and writes down how the container
 * has ended: the keeper that reads it may be another one than the one that began it.
 */
const script = 'read -r go || exit 1; "$@" </dev/null; echo $? >ended.part && mv ended.part ended';

/** By which the record of a node knows its container. */
export const runnerName = 'container';
const pollMs = 50;

/**
 * Starts a container from its bundle, in a session of its own; it stands in the record before it runs. What it says goes to the console.
 *
 * @param after what it is told to run after; the shell is there before.
 * @returns `ended` resolves when the container has ended.
 * @throws {ClusterError} `ERR_CLUSTER_MACHINE` with the last words of the runtime when it does not come to run; and what `after` rejects with.
 */
export async function startContainer(
  place: ContainerPlace,
  record: MachineRecord,
  after?: Promise<void>,
): Promise<{ readonly ended: Promise<void> }> {
  const { runtime, runtimeRoot, id, pidFile } = place;
  for (const file of [pidFile, place.endFile]) await rm(file, { force: true });
  const words = ['--root', runtimeRoot, 'run', '--bundle', place.path, '--pid-file', pidFile, id];
  const output = await open(place.console, 'a', 0o600);
  let child: ChildProcess;
  try {
    child = spawn('sh', ['-c', script, 'sh', ...runtimeCommand(runtime), ...words], {
      cwd: place.path,
      stdio: ['pipe', output.fd, output.fd],
      detached: true,
    });
  } finally {
    await output.close();
  }
  const failed = (): ClusterError => new ClusterError('ERR_CLUSTER_MACHINE', `${id} can't be started`);
  const identity = identityOf(child.pid ?? 0);
  if (identity === undefined) throw failed();
  const input = child.stdin as Writable;
  input.on('error', () => {}); // the shell is gone, and its exit says so
  try {
    await record.add({ ...identity, name: runnerName });
    await after;
  } catch (error) {
    input.destroy();
    throw error;
  }
  input.end('go\n');
  child.unref();
  await readyFile(child, pidFile, failed);
  return { ended: ended(child) };
}

/** Resolves when the container of a keeper that is gone has ended, or nobody waits any more. */
export async function untilEnded(runner: ProcessIdentity, released: () => boolean): Promise<void> {
  while (!released() && isRunning(runner)) await systemClock.sleep(pollMs);
}

/** How a container has ended: the number that its first process left; undefined where nobody has seen it. */
export async function exitCodeOf({ endFile }: ContainerPlace): Promise<number | undefined> {
  const text = (await readFile(endFile, 'utf8').catch(() => '')).trim();
  return /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}
