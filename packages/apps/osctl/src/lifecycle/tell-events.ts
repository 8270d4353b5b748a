import { followEvents } from '@nodecore/api';
import type { Tell } from '@nodecore/cli';
import { onAbort } from '@nodecore/waiting';

import { describe } from '../events/describe.ts';
import type { Target } from '../nodes/target.ts';

export type TellEventsOptions = {
  /** Of the call whose events they are. */
  readonly actorId: string;
  readonly signal: AbortSignal;
  readonly tell: Tell;
  /** Tasks and repetitions, too. */
  readonly debug: boolean;
};

/** What a command prints of events while it works; ends with the command. */
export type ToldEvents = AsyncDisposable;

/**
 * Tells what a call comes to, as its node says it, over the end of the node's agent. What the node does not tell, or not to this
 * caller, is no failure: whether it has done what it shall is known in another way.
 */
export function tellEvents(
  { client, node, name }: Target,
  { actorId, signal, tell, debug }: TellEventsOptions,
): ToldEvents {
  const done = new AbortController();
  const listener = onAbort(signal, (reason) => done.abort(reason));
  const work = async (): Promise<void> => {
    const request = { tailEvents: -1, withActorId: actorId };
    for await (const events of followEvents(client, request, { node, signal: done.signal }))
      for (const event of events) {
        const { event: kind, source, message } = describe(event);
        if (kind === 'sequence' || debug) tell(name, `${source} ${message}`.trim());
        else if (kind === 'phase' && message === 'start') tell(name, source);
        else if (event.data?.restart?.reason)
          tell(name, `goes through the firmware: ${event.data.restart.reason}`);
      }
  };
  const working = actorId === '' ? Promise.resolve() : work().catch(() => {});
  return {
    [Symbol.asyncDispose]: async () => {
      done.abort();
      await working;
      listener[Symbol.dispose]();
    },
  };
}
