/** A thread of a factory: makes a database of lists, which takes seconds without a pause. */
import { parentPort, workerData } from 'node:worker_threads';

import { type AdvisoryList, buildDatabase, type DatabaseFacts, isZip, readZip } from '@nodecore/sbom';

import type { FetchedList } from './list-source.ts';

/** What is to be made. */
export type BuildWish = {
  readonly path: string;
  readonly lists: readonly FetchedList[];
  readonly now: Date;
  readonly former: DatabaseFacts | undefined;
};

/** The end of it: with a reason when nothing was made. */
export type BuildEnd = { readonly facts: DatabaseFacts } | { readonly reason: string };

function made({ path, lists, now, former }: BuildWish): BuildEnd {
  try {
    return { facts: buildDatabase(path, texts(lists), { now, former }) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'can not be made' };
  }
}

/** One after the other, so that no two of them are texts at the same time; of an archive each file. */
function* texts(lists: readonly FetchedList[]): Generator<AdvisoryList> {
  for (const { name, bytes, made: time } of lists) {
    const files = isZip(bytes) ? readZip(bytes, name) : [{ name: '', bytes }];
    for (const file of files) {
      const place = file.name === '' ? name : `${name}: ${file.name}`;
      yield { name: place, text: new TextDecoder().decode(file.bytes), made: time };
    }
  }
}

const port = parentPort;
if (port === null) throw new TypeError('not a thread');
port.postMessage(made(workerData as BuildWish));
