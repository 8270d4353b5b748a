import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A header in a file that only this user can read, and that is removed when disposed. */
export type HeaderFile = AsyncDisposable & { readonly path: string };

/** @param fill makes the file. */
export async function headerFile(fill: (path: string) => Promise<void>): Promise<HeaderFile> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-luks-'));
  const remove = async (): Promise<void> => rm(directory, { recursive: true, force: true });
  const path = join(directory, 'header');
  try {
    await fill(path);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}
