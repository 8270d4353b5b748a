import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Measured, Run } from './protocol.ts';

const script = fileURLToPath(new URL('stage.ts', import.meta.url));

/** One second of frames; the largest rate that one core can let come in with room to spare. */
export const small = {
  frameBytes: 60,
  warmUp: 500_000,
  count: 1_000_000,
  perSecond: 1_000_000,
  arrival: 'bursts' as Run['arrival'],
  percent: 100,
  filter: '',
};

export type Traffic = typeof small;

/** Measures one receiver at a time in a network namespace of its own. */
export type Stage = (run: Run) => Promise<Measured>;

/** The stage ends with the stack. */
export async function openStage(stack: AsyncDisposableStack): Promise<Stage> {
  const child = spawn('unshare', ['--net', process.execPath, '--conditions=source', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  stack.defer(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  await once(child, 'message');
  return async (run) => await measure(child, run);
}

async function measure(stage: ChildProcess, run: Run): Promise<Measured> {
  const answer = once(stage, 'message');
  stage.send(run);
  const [measured] = (await answer) as [Measured | { readonly error: string }];
  if ('error' in measured) throw new Error(measured.error);
  return measured;
}
