import { ApiError } from '@nodecore/api';
import type { Terminal } from '@nodecore/cli';
import { Backoff, type Clock, systemClock } from '@nodecore/waiting';

/** Another configuration was taken since the one that this change was made from. */
const superseded = 'ERR_APPLY_CONFLICT';
/** Another one is being applied just now. */
const busy = 'ERR_APPLY_IN_PROGRESS';

/** More than there are people who change one node at once; a node that is busy for so long has another trouble. */
const maxTries = 30;

/** Whether the node has another configuration than the one that a change was made from. */
export function isSuperseded(error: unknown): boolean {
  return error instanceof ApiError && error.reason === superseded;
}

/**
 * Makes a change when others change the same node at the same time: again after the node took another's, and after a while
 * when it is busy with one. Any other failure, and the last of too many, is thrown as it is.
 *
 * @param change makes it from what the node has at that moment.
 * @param options.rebase false when the change can't be made from another configuration: only a busy node is waited for.
 */
export async function inTurn<Result>(
  change: () => Promise<Result>,
  { signal }: Pick<Terminal, 'signal'>,
  options: { readonly rebase: boolean; readonly clock?: Clock },
): Promise<Result> {
  const { rebase, clock = systemClock } = options;
  const backoff = new Backoff({ firstMs: 50, largestMs: 2_000 });
  for (;;) {
    try {
      return await change();
    } catch (error) {
      signal.throwIfAborted();
      const isBusy = error instanceof ApiError && error.reason === busy;
      if (!isBusy && !(rebase && isSuperseded(error))) throw error;
      if (backoff.failures + 1 >= maxTries) throw error;
    }
    await clock.sleep(backoff.next(), signal);
  }
}
