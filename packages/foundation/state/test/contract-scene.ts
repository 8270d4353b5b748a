import type { ExecutionContext } from 'ava';

import {
  type Json,
  type Kind,
  type Operation,
  ResourceError,
  type ResourceErrorCode,
  type State,
  StateError,
  type StateErrorCode,
  type StateEvent,
} from '../src/index.ts';

/** A driver and what the cases need of it beside the interface. */
export type Subject = {
  readonly state: State;
  /** Sees to it that the changes of the kind after `revision` are not known any more. */
  readonly forget: (kind: Kind, revision: number) => Promise<void>;
  /** Changes the kind by more than what is kept for a watch that nobody reads. */
  readonly overrun: (kind: Kind) => Promise<void>;
};

/** Declares a case: its own kind of resources, in a store that all cases of a driver may share, but those that are alone. */
export type Entry = (
  title: string,
  body: (t: ExecutionContext, subject: Subject, kind: Kind) => Promise<void>,
  options?: { readonly isAlone: boolean },
) => void;

export const refused = (code: ResourceErrorCode) => ({ instanceOf: ResourceError, code });
export const failed = (code: StateErrorCode) => ({ instanceOf: StateError, code });

/** `created a`, `bootstrapped`. */
export function names(batch: readonly StateEvent[]): string[] {
  return batch.map((event) =>
    event.type === 'bootstrapped' ? event.type : `${event.type} ${event.resource.metadata.id}`,
  );
}

/** Reads until there are so many events. */
export async function read(
  watch: AsyncIterator<readonly StateEvent[]>,
  count: number,
): Promise<StateEvent[]> {
  const events: StateEvent[] = [];
  while (events.length < count) {
    const { value, done } = await watch.next();
    if (done === true) break;
    events.push(...value);
  }
  return events;
}

/** So many new resources of a kind, in transactions of 100. */
export async function createMany(state: State, kind: Kind, count: number, spec: Json = 0): Promise<void> {
  for (let from = 0; from < count; from += 100) {
    const ids = Array.from({ length: 100 }, (_, index) => String(from + index).padStart(5, '0'));
    await state.transaction(ids.map((id): Operation => ({ op: 'create', key: { ...kind, id }, spec })));
  }
}

let kinds = 0;

/** A kind that no other case has. */
export function newKind(): Kind {
  kinds += 1;
  return { namespace: 'contract', type: `Case${kinds}s.test.nodecore.dev` };
}
