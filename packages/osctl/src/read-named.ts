import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { UsageError } from './errors.ts';

/** A file that the command line names. */
export async function readNamed(path: string, flag: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new UsageError(`${path}: ${code}; correct ${flag}`);
  }
}
