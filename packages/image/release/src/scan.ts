import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { BuildError } from './errors.ts';

/** Programs that read commands; node is the one that the node OS is made of. */
const interpreters =
  /^(ba|da|a|z|k|mk|c|tc|fi)?sh$|^(busybox|toybox|perl|python|ruby|lua|tclsh|gawk|mawk|awk|gdb)([\d.]*)$/;

const executable = 0o111;
const setIds = 0o6000;
const worldWritable = 0o002;

/**
 * What must not be in the root: shells and other interpreters, scripts, programs that run as somebody else, files that everybody
 * may write, devices. @returns a line for each; empty when all is well.
 */
export async function scanTree(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(directory.length);
    const { mode } = await lstat(file);
    if (entry.isSymbolicLink()) {
      if (interpreters.test(entry.name)) found.push(`${path} has the name of an interpreter`);
      continue;
    }
    if (!entry.isFile() && !entry.isDirectory()) found.push(`${path} is neither a file nor a directory`);
    if ((mode & setIds) !== 0) found.push(`${path} changes who runs it (set-user-ID or set-group-ID)`);
    if ((mode & worldWritable) !== 0) found.push(`${path} may be written by everybody`);
    if (!entry.isFile()) continue;
    if (interpreters.test(entry.name)) found.push(`${path} has the name of an interpreter`);
    if ((mode & executable) !== 0 && (await begins(file)) === '#!') found.push(`${path} is a script`);
  }
  return found;
}

/** @throws {BuildError} `ERR_BUILD_CONTENT` with everything that {@link scanTree} found. */
export async function refuseForbidden(directory: string): Promise<void> {
  const found = await scanTree(directory);
  if (found.length > 0)
    throw new BuildError('ERR_BUILD_CONTENT', `the root is not to have: ${found.join('; ')}`);
}

async function begins(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
