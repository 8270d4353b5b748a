import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ExecutionContext } from 'ava';

/** A directory that goes away after the test. */
export async function temporaryDirectory(t: Pick<ExecutionContext, 'teardown'>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => remove(path));
  return path;
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    const names = await readdir(path).catch(() => []);
    // Somebody still writes there: what they write tells who.
    throw new Error(`what the test had in ${path} can't be removed: ${names.join(', ')}`, { cause: error });
  }
}
