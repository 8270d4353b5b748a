import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import type { Namespace } from '@nodecore/lan';
import { ended, tetheredCommand } from '@nodecore/sys';
import type { ExecutionContext } from 'ava';

/** Resolves when the routes of a namespace are as they should be; begun before anything changes them. */
export async function watchRoutes(
  t: ExecutionContext,
  namespace: Namespace,
): Promise<(isRight: (routes: string) => boolean) => Promise<void>> {
  const [file, ...words] = tetheredCommand(namespace.inside(['ip', 'monitor', 'all-nsid', 'route']));
  const monitor = spawn(file, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  t.teardown(async () => {
    monitor.kill('SIGKILL');
    await ended(monitor);
  });
  await once(monitor, 'spawn');
  const lines = createInterface({ input: monitor.stdout })[Symbol.asyncIterator]();
  return async (isRight) => {
    while (!isRight(await namespace.run(['ip', 'route']))) await lines.next();
  };
}
