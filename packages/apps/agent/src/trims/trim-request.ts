import { CoalescingQueue, onAbort } from '@nodecore/waiting';

import type { Finding } from './engine.ts';
import { finalEvent, plannedEvent, runningEvent, skippedEvent, type TrimEvent } from './trim-event.ts';
import type { TrimRun } from './trim-run.ts';

export type TrimRequestOptions = { readonly dryRun: boolean; readonly signal: AbortSignal };

/** What a request needs of the volumes. */
export type TrimAccess = {
  /** What is on a volume's mount point now. */
  readonly find: (id: string) => Promise<Finding>;
  /** The trim of a volume: the one that is there already, or one that begins; undefined when none begins any more. */
  readonly join: (id: string, disks: readonly string[]) => TrimRun | undefined;
};

/** Trims volumes and yields the progress of each. A reader that stops ends the trims that no other one wants. */
export async function* requestTrims(
  ids: readonly string[],
  { find, join }: TrimAccess,
  { dryRun, signal }: TrimRequestOptions,
): AsyncGenerator<TrimEvent, void, undefined> {
  if (dryRun) {
    for (const id of ids) yield plannedEvent(id, await find(id));
    return;
  }
  const events = new CoalescingQueue<TrimEvent>(({ volume }) => volume);
  using listening = new DisposableStack();
  const one = async (id: string): Promise<void> => {
    const { verdict } = await find(id);
    if (listening.disposed) return;
    if (!verdict.eligible) {
      events.push(skippedEvent(id, verdict.reason, verdict.message));
      return;
    }
    const run = join(id, verdict.disks);
    if (run === undefined) return;
    const tell = (): void => events.push(runningEvent(id, run));
    listening.use(run.listen(tell));
    tell();
    const outcome = await run.ended;
    events.push(finalEvent(id, run, outcome));
  };
  using _listener = onAbort(signal, () => events.end());
  const work = Promise.all(ids.map(one)).finally(() => events.end());
  work.catch(() => {}); // who still reads is told below
  yield* events.values();
  if (!signal.aborted) await work;
}
