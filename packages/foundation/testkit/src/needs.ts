import test, { type Implementation } from 'ava';

import { findProgram } from './program.ts';

/** Something a test can't do without. */
export type Need = {
  /** What is missing, in words for the report; undefined when the machine has it. */
  readonly missing: () => string | undefined;
};

type Body = Implementation<unknown[]>;

/**
 * A `test` for machines that have everything in `needs`. On others it is skipped and its title says why; where the
 * run promised the rung (`NODECORE_NEEDS=required`, which `npm test` sets) it fails instead.
 */
export function testWith(...needs: readonly Need[]): (title: string, body: Body) => void {
  const missing = needs.flatMap((need) => need.missing() ?? []);
  if (missing.length === 0) return test.serial;
  const why = missing.join(', ');
  if (process.env['NODECORE_NEEDS'] === 'required') {
    return (title) => {
      test(title, (t) => t.fail(`this machine lacks: ${why}`));
    };
  }
  return (title, body) => {
    test.skip(`${title} (${why})`, body);
  };
}

/** The process may do what root may. */
export const root: Need = {
  missing: () => (process.getuid?.() === 0 ? undefined : 'root'),
};

/** The test runs inside the virtual node, where device-mapper and real disk drivers are. */
export const virtualNode: Need = {
  missing: () => (process.env['NODECORE_VM'] === '1' ? undefined : 'a virtual node (npm test -- vm)'),
};

/** A program in the path, in a directory that only root's path has, or among those that scripts/setup unpacks. */
export function program(name: string): Need {
  return {
    missing: () => (findProgram(name) === undefined ? `the program ${name}` : undefined),
  };
}
