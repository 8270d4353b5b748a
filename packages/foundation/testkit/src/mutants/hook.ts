/**
 * Preloaded into every process of a test run with a mutant (`node --import`): gives Node the changed source when it loads
 * the file. Nothing is written to the checkout, so a run that is killed leaves no broken line behind.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

import { mutate, type Mutant } from './mutant.ts';

/** What the run hands to its processes in `NODECORE_MUTANT`. */
export type MutantOrder = {
  readonly mutant: Mutant;
  /** The absolute path of the mutant's file. */
  readonly path: string;
  /** A file that gets a byte each time the changed source is loaded. */
  readonly mark: string;
};

const text = process.env['NODECORE_MUTANT'];
if (text !== undefined) {
  const { mutant, path, mark } = JSON.parse(text) as MutantOrder;
  const target = pathToFileURL(path).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== target || loaded.source === undefined || loaded.source === null) return loaded;
      const source =
        typeof loaded.source === 'string'
          ? loaded.source
          : Buffer.from(loaded.source as Uint8Array).toString();
      appendFileSync(mark, '.');
      return { ...loaded, source: mutate(source, mutant) };
    },
  });
}
