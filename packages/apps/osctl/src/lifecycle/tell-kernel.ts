import { onAbort } from '@nodecore/waiting';

import { goingOn } from '../dmesg/follow.ts';
import { again } from '../nodes/again.ts';
import type { Target } from '../nodes/target.ts';
import type { TellEventsOptions, ToldEvents } from './tell-events.ts';

const nowhere = { write: () => true } as never;

/** Tells what the node's kernel says, from now on and over its reboot. That it says nothing is no failure. */
export function tellKernel(
  target: Target,
  { signal, tell }: Pick<TellEventsOptions, 'signal' | 'tell'>,
): ToldEvents {
  const done = new AbortController();
  const listener = onAbort(signal, (reason) => done.abort(reason));
  const work = async (): Promise<void> => {
    const call = goingOn(target, { follow: true, tail: true }, done.signal);
    for await (const { records } of again(call, { signal: done.signal, error: nowhere }))
      for (const { facility, priority, message } of records)
        tell(target.name, `${facility}: ${priority}: ${message}`);
  };
  const working = work().catch(() => {});
  return {
    [Symbol.asyncDispose]: async () => {
      done.abort();
      await working;
      listener[Symbol.dispose]();
    },
  };
}
