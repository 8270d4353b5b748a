/** A thread of a factory: looks at configurations, the largest of which takes 50 ms without a pause. */
import { parentPort } from 'node:worker_threads';

import { embeddedProblems } from './embedded-problems.ts';

/** A text to look at. */
export type EmbeddedQuestion = { readonly id: number; readonly text: string };

/** What is wrong with it; undefined for nothing, and for one that could not be looked at. */
export type EmbeddedVerdict = {
  readonly id: number;
  readonly problems: string | undefined;
  readonly hasFailed: boolean;
};

const port = parentPort;
if (port === null) throw new TypeError('not a thread');
port.on('message', ({ id, text }: EmbeddedQuestion) => {
  let verdict: EmbeddedVerdict = { id, problems: undefined, hasFailed: true };
  try {
    verdict = { id, problems: embeddedProblems(text), hasFailed: false };
  } finally {
    port.postMessage(verdict);
  }
});
