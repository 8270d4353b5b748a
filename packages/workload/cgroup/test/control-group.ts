import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { ExecutionContext } from 'ava';

import { findHierarchy } from '../src/index.ts';

/** A cgroup of the machine's v2 hierarchy, which goes away after the test with all below it. */
export async function controlGroup(t: ExecutionContext): Promise<string> {
  const { directory } = await findHierarchy();
  const path = join(directory, `nodecore-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`);
  await mkdir(path);
  t.teardown(() => removeTree(path));
  return path;
}

async function removeTree(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(path, entry.name));
  await rmdir(path);
}
