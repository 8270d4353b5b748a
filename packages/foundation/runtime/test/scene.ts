import type { Key, Kind, State } from '@nodecore/state';
import { memoryState, Store } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import type { ExecutionContext } from 'ava';

import { type Controller, type ControllerFailure, controllerItems, Runtime } from '../src/index.ts';

export const disks: Kind = { namespace: 'storage', type: 'Disks.test.nodecore.dev' };
export const volumes: Kind = { namespace: 'storage', type: 'Volumes.test.nodecore.dev' };
export const mounts: Kind = { namespace: 'storage', type: 'Mounts.test.nodecore.dev' };

export const key = (kind: Kind, id: string): Key => ({ ...kind, id });

export type Scene = {
  readonly state: State;
  readonly clock: FakeClock;
  readonly failures: ControllerFailure[];
  /** Ends the runtime, and waits for what runs. */
  readonly stop: () => Promise<void>;
};

/** A runtime that runs the controllers until the test ends. */
export function run(
  t: ExecutionContext,
  controllers: readonly Controller[],
  state: State = memoryState(new Store()),
): Scene {
  const [clock, stopping, failures] = [new FakeClock(), new AbortController(), [] as ControllerFailure[]];
  const failed = (failure: ControllerFailure): void => void failures.push(failure);
  const runtime = new Runtime({ state, clock, random: () => 0, failed });
  for (const controller of controllers) runtime.register(controller);
  const running = runtime.run(stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  t.teardown(stop);
  return { state, clock, failures, stop };
}

/** Resolves when the resources of a kind are as wanted; the test's own limit ends a wait for what never comes. */
export async function until(
  state: State,
  kind: Kind,
  holds: (resources: ReadonlyMap<string, unknown>) => boolean,
): Promise<void> {
  const stop = new AbortController();
  const specs = new Map<string, unknown>();
  for await (const events of state.watch({ kind, bootstrap: true }, stop.signal)) {
    for (const event of events) {
      if (event.type === 'bootstrapped') continue;
      const { metadata, spec } = event.resource;
      if (event.type === 'destroyed') specs.delete(metadata.id);
      else specs.set(metadata.id, spec);
    }
    if (holds(specs)) return stop.abort();
  }
}

/** Ids of a kind, sorted. */
export async function ids(state: State, kind: Kind): Promise<readonly string[]> {
  const { resources } = await state.list(kind);
  return resources.map(({ metadata }) => metadata.id);
}

/** The reasons of what is not done, by `CONTROLLER:ITEM`. */
export async function reasons(state: State): Promise<ReadonlyMap<string, unknown>> {
  const { resources } = await state.list(controllerItems);
  return new Map(resources.map(({ metadata, spec }) => [metadata.id, spec]));
}
