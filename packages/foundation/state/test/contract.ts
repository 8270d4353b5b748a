import type { ExecutionContext } from 'ava';

import { type Entry, newKind, type Subject } from './contract-scene.ts';
import { watches } from './contract-watches.ts';
import { writes } from './contract-writes.ts';

/**
 * Each case has a kind of its own, so that the cases of one driver may share a store.
 *
 * @param isAlone a case that minds what other kinds do: it counts revisions of the whole store, or has the store forget.
 */
export type Open = (t: ExecutionContext, isAlone: boolean) => Promise<Subject>;

/** `test` of ava, or one with needs. */
export type Test = (title: string, body: (t: ExecutionContext) => Promise<void>) => void;

/** The cases that every driver of a state must pass. */
export function contract(test: Test, driver: string, open: Open): void {
  const entry: Entry = (title, body, { isAlone } = { isAlone: false }) => {
    test(`${driver}: ${title}`, async (t) => await body(t, await open(t, isAlone), newKind()));
  };
  writes(entry);
  watches(entry);
}
