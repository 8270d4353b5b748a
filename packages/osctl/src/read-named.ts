import { readFile } from 'node:fs/promises';

import { codeOf, decodeText, TextError } from '@nodecore/sys';

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

/** A text that the command line names, other than a configuration. Nothing in it is replaced. */
export async function readNamedText(path: string, flag: string): Promise<string> {
  const bytes = await readNamed(path, flag);
  try {
    return decodeText(bytes);
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    throw new UsageError(`${path}:${error.line}:${error.column}: ${error.message}`);
  }
}
