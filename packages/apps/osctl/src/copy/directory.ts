import { mkdir, readdir } from 'node:fs/promises';

import { UsageError, wordsOfErrno } from '@nodecore/cli';
import { codeOf } from '@nodecore/sys/pure';

/** Makes a directory, or finds it empty. @throws {UsageError} for one that can't be had, or has something in it. */
export async function prepareDirectory(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true });
    if ((await readdir(path)).length === 0) return path;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new UsageError(`${path}: ${code === 'EEXIST' ? 'is no directory' : wordsOfErrno(code)}`);
  }
  throw new UsageError(
    `${path} has files in it, and nothing is overwritten: name a new or an empty directory`,
  );
}
