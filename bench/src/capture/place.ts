import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Measured, Run } from './protocol.ts';

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
export function openStage(stack: AsyncDisposableStack): Promise<Stage> {
  return openPlace<Measured>(stack, 'stage.ts');
}

/** A script in a network namespace of its own, which answers one message at a time. It ends with the stack. */
export async function openPlace<Answer extends object>(
  stack: AsyncDisposableStack,
  script: string,
): Promise<(asked: object) => Promise<Answer>> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn('unshare', ['--net', process.execPath, '--conditions=source', path], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true, // a signal to the whole group would end it before it has cleaned up; it ends when we do
  });
  stack.defer(async () => {
    const ended = once(child, 'exit');
    child.disconnect(); // it takes down what it has made
    await ended;
  });
  await once(child, 'message');
  return async (asked) => {
    const answered = once(child, 'message');
    child.send(asked);
    const [answer] = (await answered) as [Answer | { readonly error: string }];
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  };
}
