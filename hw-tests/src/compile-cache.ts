import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';

import { compileCache } from '@nodecore/testkit/compile-cache';

import type { Runner } from './runner.ts';

/** Where a machine sees `compileCache` of the host; what Node adds stays in memory until it is kept. */
export const compileCacheInside = '/run/rig/compile-cache';

/** Entries of sources that are gone are never removed one by one; this many are some hundred edits. */
const maxEntries = 50_000;

/** Makes sure that there is a cache to share, and that it does not grow for ever. */
export async function prepareCompileCache(): Promise<void> {
  const entries = await readdir(compileCache, { recursive: true }).catch(() => []);
  if (entries.length > maxEntries) await rm(compileCache, { recursive: true, force: true });
  await mkdir(compileCache, { recursive: true });
}

/** Takes over what Node compiled inside. Processes write their share when they end. */
export async function keepCompileCache(machine: Runner): Promise<void> {
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
