import { codeOf } from './coded-error.ts';

/** What is done with a file; undefined when it, or a directory on the way to it, is not there. Other errors are thrown as they are. */
export async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
