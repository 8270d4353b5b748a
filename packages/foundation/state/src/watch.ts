import type { History } from './history.ts';
import type { ResourceEvent } from './resource.ts';

export type WatchStart = {
  readonly history: History;
  /** Sent first, as they are. */
  readonly first: readonly ResourceEvent[];
  /** Events after this revision follow. */
  readonly revision: number;
  /** Only events of this id; all without one. */
  readonly id: string | undefined;
  readonly signal: AbortSignal | undefined;
};

/**
 * Events in batches, in the order of their revisions, for as long as the reader wants them. Nothing is buffered per
 * watcher: a reader that falls behind the history gets one `errored` event, and the watch ends.
 *
 * An aborted signal ends the watch without an error: the caller that aborts knows.
 */
export async function* follow(start: WatchStart): AsyncGenerator<readonly ResourceEvent[], void, undefined> {
  const { history, first, id, signal } = start;
  let place = start.revision;
  if (first.length > 0) yield first;
  for (;;) {
    if (signal?.aborted === true) return;
    const { lost, events } = history.after(place);
    if (lost) {
      yield [{ type: 'errored', revision: place, error: 'too slow: events were dropped; watch again' }];
      return;
    }
    place = events.at(-1)?.revision ?? place;
    const wanted = events.filter((event) => id === undefined || idOf(event) === id);
    if (wanted.length > 0) yield wanted;
    else await history.next(signal); // no append can fall between: nothing was awaited since reading
  }
}

function idOf(event: ResourceEvent): string | undefined {
  return 'resource' in event ? event.resource.metadata.id : undefined;
}
