import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { cacheDirectory, guestDirectory } from './paths.ts';

const flags = ['-std=c17', '-O2', '-Wall', '-Wextra', '-Werror', '-static'];

/**
 * The runner for machines, compiled once per content. It is C and static: it runs before there is a root filesystem
 * to trust, and it is ready at once where an emulated CPU takes seconds to start Node.
 */
export async function runnerProgram(): Promise<Buffer> {
  const source = join(guestDirectory, 'runner.c');
  const hash = createHash('sha256')
    .update(await readFile(source))
    .update(flags.join(' '))
    .digest('hex');
  const directory = join(cacheDirectory, 'rig');
  const program = join(directory, `runner-${hash.slice(0, 16)}`);
  if (!existsSync(program)) {
    await mkdir(directory, { recursive: true });
    const part = `${program}.${process.pid}.part`; // several test processes may compile at the same time
    await promisify(execFile)('cc', [...flags, '-o', part, source]);
    await rename(part, program);
  }
  return readFile(program);
}
