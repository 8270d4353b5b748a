import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

import {
  codeOf,
  identityOf,
  isRunning,
  killExactly,
  parseIdentity,
  type ProcessIdentity,
  readyFile,
  writeFileAtomic,
} from '@nodecore/sys';
import { compileCacheDirectory } from '@nodecore/sys/compile-cache';
import { systemClock } from '@nodecore/waiting';

import type { ClusterDirectory } from '../directory.ts';
import { ClusterError } from '../errors.ts';
import { lockKeeping } from '../lock.ts';
import { originalOf, requireOwn } from '../place.ts';
import { readState } from '../state.ts';
import { callKeeper } from './client.ts';
import { keeperProgram } from './program.ts';
import { socketName } from './socket-name.ts';

const recordName = 'keeper.json';
const logName = 'keeper.log';
const pollMs = 20;

/**
 * Starts the keeper of a cluster unless it runs, in a session of its own. It stands in `keeper.json` before it runs, so that
 * it is found whenever this process is killed. Resolves when it answers.
 *
 * @param cache directory of images.
 * @throws {ClusterError} `ERR_CLUSTER_KEEPER` with its last line; `ERR_CLUSTER_NOT_FOUND` when the cluster is going or gone.
 */
export async function startKeeper(directory: ClusterDirectory, cache: string): Promise<void> {
  if (!(await directory.exists())) throw await directory.notFound();
  await requireOwn(directory.path);
  await using _lock = await lockKeeping(directory); // two keepers of one cluster would take its network from each other
  const running = await runningKeeper(directory);
  if (running !== undefined) return await answers(directory, running);
  if ((await readState(directory)).phase === 'destroying' || !(await directory.exists()))
    throw await directory.notFound();
  await launch(directory, cache);
}

async function launch(directory: ClusterDirectory, cache: string): Promise<void> {
  const argv = [...keeperProgram(), directory.path, cache];
  const log = await open(join(directory.path, logName), 'a', 0o600);
  try {
    // Compiling its modules again would take as long as all that it does first.
    const compiled = compileCacheDirectory(process.env, process.geteuid?.() ?? -1);
    const env = { ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }), ...process.env };
    const child = spawn(process.execPath, argv, {
      cwd: '/',
      env,
      stdio: ['pipe', log.fd, log.fd],
      detached: true,
    });
    await once(child, 'spawn');
    child.unref();
    const identity = identityOf(child.pid ?? 0);
    const input = child.stdin as unknown as Writable;
    input.on('error', () => {}); // it has ended, and is found to have
    if (identity === undefined) throw new ClusterError('ERR_CLUSTER_KEEPER', 'its keeper ended at once');
    const socket = join(directory.path, socketName);
    try {
      await writeFileAtomic(join(directory.path, recordName), JSON.stringify(identity));
      await rm(socket, { force: true }); // of a keeper that was killed: this one has not begun
    } catch (error) {
      input.destroy();
      throw error;
    }
    input.end('go\n');
    await readyFile(child, socket, () => new Error('it has ended')).catch(() => {}); // why is told by what follows
    await answers(directory, identity);
  } finally {
    await log.close();
  }
}

/** The keeper of a cluster when it runs; a copy of its directory has none. */
export async function runningKeeper(directory: ClusterDirectory): Promise<ProcessIdentity | undefined> {
  if ((await originalOf(directory.path)) !== undefined) return undefined;
  const text = await readFile(join(directory.path, recordName), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  const identity = parseIdentity(text);
  return identity !== undefined && isRunning(identity) ? identity : undefined;
}

/** Ends the keeper of a cluster, however it does. Its machines go on. @returns which one it was, where one ran. */
export async function endKeeper(directory: ClusterDirectory): Promise<ProcessIdentity | undefined> {
  const keeper = await runningKeeper(directory);
  if (keeper === undefined) return undefined;
  killExactly(keeper);
  while (isRunning(keeper)) await systemClock.sleep(pollMs);
  return keeper;
}

async function answers(directory: ClusterDirectory, keeper: ProcessIdentity): Promise<void> {
  for (;;) {
    try {
      await callKeeper(directory, { method: 'ping' });
      return;
    } catch (error) {
      if (codeOf(error) !== 'ERR_CLUSTER_KEEPER') throw error;
      if (!isRunning(keeper)) {
        const said = await readFile(join(directory.path, logName), 'utf8').catch(() => '');
        const words = `the keeper of ${directory.name} ended at once: ${said.trim().split('\n').at(-1)}`;
        throw new ClusterError('ERR_CLUSTER_KEEPER', words, { cause: error });
      }
    }
    await systemClock.sleep(pollMs);
  }
}
