import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { UsageError } from './errors.ts';

/** A file that the command line names; the error ends with what to do next. */
export async function readNamed(
  path: string,
  flag: string,
  advice: string = `correct ${flag}`,
): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new UsageError(`${path}: ${code}; ${advice}`);
  }
}
