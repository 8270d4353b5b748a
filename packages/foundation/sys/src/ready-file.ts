import type { ChildProcess } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Resolves when a program has made the file by which it says that it serves: its pid file or its socket. The file must not
 * have been there when the program was started.
 *
 * @param ended the error for a program that ends before, with its exit code
 */
export async function readyFile(
  child: ChildProcess,
  path: string,
  ended: (code: number | undefined) => Error,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const watcher = watch(dirname(path), () => {
    if (existsSync(path)) resolve();
  });
  const exited = (): void => reject(ended(child.exitCode ?? undefined));
  child.once('error', reject);
  child.once('exit', exited);
  if (child.exitCode !== null || child.signalCode !== null) exited();
  if (existsSync(path)) resolve();
  try {
    await promise;
  } finally {
    watcher.close();
    child.off('exit', exited);
  }
}
