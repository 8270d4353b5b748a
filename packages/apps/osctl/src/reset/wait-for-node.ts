import { connect, definitionNamespace, definitionType, formatEndpoint, parseEndpoint } from '@nodecore/api';
import type { Tell } from '@nodecore/cli';
import { systemClock } from '@nodecore/waiting';

import { errorLines } from '../error-lines.ts';
import type { Target } from '../nodes/target.ts';

export type WaitOptions = {
  /** The run of the agent that is to be over. */
  readonly before: string;
  /** The node has no configuration then, and no certificate that anybody knows. */
  readonly maintenance: boolean;
  readonly signal: AbortSignal;
  readonly tell: Tell;
  /** Tell of every attempt what came of it. */
  readonly debug: boolean;
};

const pauseMs = 1000;
const attemptMs = 5000;

/** What distinguishes one run of the agent from another. */
export async function runOf({ client, node }: Target, signal: AbortSignal): Promise<string> {
  const request = { type: definitionType, namespace: definitionNamespace };
  for await (const { bookmark } of client.list(request, { node, signal }))
    if (bookmark) return bookmark.epoch;
  return '';
}

/** Resolves when the node answers as another run of its agent. Rejects when the signal fires. */
export async function waitForNode(target: Target, options: WaitOptions): Promise<void> {
  const { signal, tell, maintenance } = options;
  tell(target.name, maintenance ? 'waits for maintenance' : 'waits for the node');
  for (;;) {
    if (await isBack(target, options)) return;
    await systemClock.sleep(pauseMs, signal);
  }
}

async function isBack(target: Target, options: WaitOptions): Promise<boolean> {
  const { before, maintenance, signal, tell, debug } = options;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]);
  try {
    if (!maintenance) {
      const run = await runOf(target, limit);
      if (debug && run === before) tell(target.name, `still the run ${run} of its agent`);
      return run !== before;
    }
    const endpoint = formatEndpoint(parseEndpoint(target.name));
    using client = connect({ endpoint, insecure: true });
    const version = await client.version({ signal: limit });
    if (debug && !version.maintenance) tell(target.name, 'answers, and is not in maintenance yet');
    return version.maintenance;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TypeError) throw error;
    // It is on its way.
    if (debug) tell(target.name, limit.aborted ? 'no answer' : (errorLines(error)[0] ?? ''));
    return false;
  }
}
