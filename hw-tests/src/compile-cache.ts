import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Machine } from './machine.ts';
import { cacheDirectory, checkout } from './paths.ts';

/**
 * What Node compiled in earlier machines, and in test runs on this one, for the next machine: an emulated processor takes
 * twice as long to start a program without it. Node checks each entry against its source, its own version and the
 * processor.
 */
export const compileCache: string = join(cacheDirectory, 'rig', 'compile-cache');

/** Where a machine sees it; what Node adds stays in memory until it is kept. */
export const compileCacheInside = '/run/rig/compile-cache';

/** Entries of sources that are gone are never removed one by one; this many are some hundred edits. */
const mostEntries = 50_000;

/** Makes sure that there is a cache to share, and that it does not grow for ever. */
export async function prepareCompileCache(): Promise<void> {
  const entries = await readdir(compileCache, { recursive: true }).catch(() => []);
  if (entries.length > mostEntries) await rm(compileCache, { recursive: true, force: true });
  await mkdir(compileCache, { recursive: true });
}

/**
 * Has this machine compile the agent, in a second or two. An emulated processor with the same instructions finds it all, and
 * starts the agent in two thirds of the time.
 */
export async function compileAgent(): Promise<void> {
  const argv = [join(checkout, 'packages', 'agent', 'bin', 'nodecore-agent.js'), '--help'];
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  await once(spawn(process.execPath, argv, { env, stdio: 'ignore' }), 'close');
}

/** Takes over what Node compiled inside. Processes write their share when they end. */
export async function keepCompileCache(machine: Machine): Promise<void> {
  const { stdout } = await machine.run(['tar', '--create', '--directory', `${compileCacheInside}.new`, '.'], {
    cwd: '/',
  });
  // A reader never takes half an entry for a whole one: each carries a checksum.
  const tar = spawn('tar', ['--extract', '--no-same-owner', '--directory', compileCache], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  tar.stdin.on('error', () => {}); // tar ends at the end of the archive, which may be padded
  tar.stdin.end(stdout);
  await once(tar, 'exit');
}
