import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { identityOf, isRunning, parseIdentity } from '@nodecore/sys';

import { cacheDirectory } from './paths.ts';

const machines = join(cacheDirectory, 'machines');

/**
 * A directory for a machine that this process owns. Its owner's identity stands in it, so that a later run can remove
 * what a killed one left. It is not in /tmp, which may be memory and too small for disks.
 */
export async function temporaryState(name: string): Promise<string> {
  await mkdir(machines, { recursive: true });
  await removeAbandoned();
  const directory = await mkdtemp(join(machines, `${name}-`));
  await writeFile(join(directory, 'owner'), JSON.stringify(identityOf(process.pid)));
  return directory;
}

async function removeAbandoned(): Promise<void> {
  for (const entry of await readdir(machines)) {
    const directory = join(machines, entry);
    const text = await readFile(join(directory, 'owner'), 'utf8').catch(() => '');
    const owner = parseIdentity(text);
    // No owner yet: somebody is making it right now.
    if (owner !== undefined && !isRunning(owner)) await rm(directory, { recursive: true, force: true });
  }
}
