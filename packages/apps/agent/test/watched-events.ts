import type { Client } from '@nodecore/api';
import { type Bookmark, EventType } from '@nodecore/api/resource';

/** What kinds of events are called. */
export const words: Readonly<Record<number, string>> = {
  [EventType.CREATED]: 'created',
  [EventType.UPDATED]: 'updated',
  [EventType.DESTROYED]: 'destroyed',
};

type Watch = {
  readonly type: string;
  /** Whether this resource is the one behind which nothing comes. */
  readonly isLast: (id: string) => boolean;
  /** Called when what there was before has come, each time. */
  readonly ready: () => void;
  /** After so many events it begins anew from where it was. */
  readonly again: number;
};

/** Watches until the last resource is there. @returns what happened before it, in order: `created disk1`. */
export async function eventsUntil(
  client: Client,
  { type, isLast, ready, again }: Watch,
): Promise<readonly string[]> {
  const seen: string[] = [];
  let bookmark: Bookmark | undefined;
  for (;;) {
    const before = seen.length;
    reading: for await (const { events } of client.watch({ type, bookmark })) {
      for (const event of events) {
        bookmark = event.bookmark ?? bookmark;
        const id = event.resource?.metadata?.id ?? '';
        if (event.type === EventType.BOOTSTRAPPED) ready();
        else if (isLast(id)) return seen;
        else seen.push(`${words[event.type]} ${id}`);
        if (bookmark !== undefined && seen.length >= before + again) break reading;
      }
    }
  }
}
