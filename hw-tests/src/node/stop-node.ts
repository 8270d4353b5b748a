import { isRunning } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { type NodeRecord, removeRecord } from './record.ts';

/** An agent that holds on to a disk gets a minute from its supervisor; the machine's power-off comes after it. */
const limitMs = 90_000;

/** Ends a node in order and waits until it is gone; a supervisor that does not end takes everything with it. */
export async function stopNode({ directory, supervisor }: NodeRecord): Promise<void> {
  const started = performance.now();
  process.kill(supervisor.pid, 'SIGTERM');
  while (isRunning(supervisor)) {
    if (performance.now() - started > limitMs) process.kill(supervisor.pid, 'SIGKILL');
    await systemClock.sleep(100);
  }
  await removeRecord(directory);
}
