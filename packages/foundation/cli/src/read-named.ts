import { codeOf, decodeText, TextError } from '@nodecore/sys/pure';

import { readWhole } from './read-whole.ts';
import { UsageError } from './usage-error.ts';

/** A file that the command line names; the error ends with what to do next. */
export async function readNamed(
  path: string,
  flag: string,
  advice: string = `correct ${flag}`,
): Promise<Buffer> {
  try {
    return await readWhole(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new UsageError(`${path}: ${wordsOfErrno(code)}; ${advice}`);
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

/** What a file that can't be used is, for people. */
export function wordsOfErrno(code: string): string {
  return words[code] ?? code;
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is no directory',
  EISDIR: 'it is a directory',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the filesystem is read-only',
  ENOSPC: 'no space left on the disk',
  ELOOP: 'it is a link, or too many of them',
};
