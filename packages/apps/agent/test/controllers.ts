import { type Controller, type ControllerFailure, Runtime } from '@nodecore/runtime';
import { type Kind, memoryState, type Resource, type Store } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import type { ExecutionContext } from 'ava';

export type RunningControllers = {
  /** Of delays after failures. */
  readonly clock: FakeClock;
  readonly failures: ControllerFailure[];
};

/** Runs controllers over a store, as the agent does, until the test ends; one that needs the clock is made with it. */
export function runControllers(
  t: ExecutionContext,
  store: Store,
  ...controllers: readonly (Controller | ((clock: FakeClock) => Controller))[]
): RunningControllers {
  const [clock, failures, stopping] = [new FakeClock(), [] as ControllerFailure[], new AbortController()];
  const failed = (failure: ControllerFailure): void => void failures.push(failure);
  const runtime = new Runtime({ state: memoryState(store), clock, failed });
  for (const each of controllers) runtime.register(typeof each === 'function' ? each(clock) : each);
  const running = runtime.run(stopping.signal);
  t.teardown(async () => {
    stopping.abort();
    await running;
  });
  return { clock, failures };
}

/** Resolves with the resources of a kind when they are as wanted; after half a minute it throws. */
export async function until(
  store: Store,
  kind: Kind,
  holds: (resources: readonly Resource[]) => boolean,
): Promise<readonly Resource[]> {
  const stopping = new AbortController();
  const limit = setTimeout(() => stopping.abort(), 30_000); // keeps the process, as a signal of its own would not
  try {
    for await (const _events of store.watch(kind, { signal: stopping.signal })) {
      const { resources } = store.list(kind);
      if (holds(resources)) return resources;
    }
  } finally {
    clearTimeout(limit);
  }
  throw new Error(`${kind.type}: ${JSON.stringify(store.list(kind).resources)}`);
}
