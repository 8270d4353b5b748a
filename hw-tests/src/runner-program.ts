import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { compiledProgram } from '@nodecore/machine';

import { guestDirectory, rigCache } from './paths.ts';

/**
 * The runner for machines. It is C and static: it runs before there is a root filesystem to trust, and it is ready at
 * once where an emulated CPU takes seconds to start Node.
 */
export async function runnerProgram(): Promise<Buffer> {
  return await readFile(await compiledProgram(join(guestDirectory, 'runner.c'), rigCache));
}
