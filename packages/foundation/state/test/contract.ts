import type { ExecutionContext } from 'ava';

import { type Entry, newKind, type Subject } from './contract-scene.ts';
import { watches } from './contract-watches.ts';
import { writes } from './contract-writes.ts';

/** Each case has a kind of its own, so that the cases of one driver share a store. */
export type Open = (t: ExecutionContext) => Promise<Subject>;

/** `test` of ava, or one with needs. */
export type Test = (title: string, body: (t: ExecutionContext) => Promise<void>) => void;

/** The cases that every driver of a state must pass. */
export function contract(test: Test, driver: string, open: Open): void {
  const entry: Entry = (title, body) => {
    test(`${driver}: ${title}`, async (t) => await body(t, await open(t), newKind()));
  };
  writes(entry);
  watches(entry);
}
