import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ExecutionContext } from 'ava';

/** A directory that goes away after the test. */
export async function temporaryDirectory(t: Pick<ExecutionContext, 'teardown'>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}
