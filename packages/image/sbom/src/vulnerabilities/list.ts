import { SbomError } from '../errors.ts';
import { Field } from '../field.ts';
import type { Advisory } from './advisory.ts';
import { modifiedOf, readOsv } from './osv.ts';
import { readTracker } from './tracker.ts';

/** A file of vulnerabilities: the list of Debian's tracker, a record of OSV, or a list of such. */
export type AdvisoryList = {
  /** Names it in errors. */
  readonly name: string;
  readonly text: string;
  /** When it was made, as who keeps it says. */
  readonly made: Date;
};

/** Clocks differ by less. */
const mostAheadMs = 24 * 3_600_000;

/**
 * Reads a list whole, whatever it is.
 *
 * @throws {SbomError} with `ERR_SBOM_INVALID` and the field, with `ERR_SBOM_DATABASE` for one of the future.
 */
export function* readAdvisories({ name, text, made }: AdvisoryList, now: Date): Generator<Advisory> {
  const assertPast = (time: Date): void => {
    if (time.getTime() <= now.getTime() + mostAheadMs) return;
    throw new SbomError('ERR_SBOM_DATABASE', `${name}: is of the future: ${time.toISOString()}`);
  };
  assertPast(made);
  const list = Field.parse(text, name);
  const isOne = !list.isArray && list.get('modified').isThere && list.get('id').isThere;
  if (!list.isArray && !isOne) {
    yield* readTracker(list);
    return;
  }
  for (const record of isOne ? [list] : list.items()) {
    assertPast(modifiedOf(record));
    yield* readOsv(record);
  }
}
