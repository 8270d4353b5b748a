import { ApiError } from '@nodecore/api';
import type { Terminal } from '@nodecore/cli';
import { policyOf } from '@nodecore/sys/pure';
import { Backoff, systemClock, type Clock } from '@nodecore/waiting';

import { errorLines } from '../error-lines.ts';

/** The node ends and gives its calls up: another life of it takes them. */
const passing: ReadonlySet<string> = new Set(['ERR_API_CANCELLED']);

/**
 * A call that goes on until the user interrupts: after a lost connection it is made again, and the user is told of it once. Before the
 * first answer a failure is thrown; later, only failures that trying again can't mend are.
 */
export async function* again<Answer>(
  begin: () => AsyncIterable<Answer>,
  { signal, error: output }: Pick<Terminal, 'signal' | 'error'>,
  clock: Clock = systemClock,
): AsyncGenerator<Answer, void, undefined> {
  const backoff = new Backoff({ firstMs: 200, largestMs: 5_000 });
  let started = false;
  let told: string | undefined;
  for (;;) {
    try {
      for await (const answer of begin()) {
        started = true;
        told = undefined;
        backoff.reset();
        yield answer;
      }
      return;
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof ApiError) || !started) throw failure;
      if (policyOf(failure)?.retry !== 'helps' && !passing.has(failure.code)) throw failure;
      if (failure.message !== told) output.write(`osctl: ${errorLines(failure)[0]}; connecting again\n`);
      told = failure.message;
    }
    await clock.sleep(backoff.next(), signal);
  }
}
