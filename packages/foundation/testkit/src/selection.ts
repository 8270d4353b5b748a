import { parseArgs } from 'node:util';

import { type Rung, rungs } from './rungs.ts';
import { readShard, type Shard } from './shards.ts';

/** What a command line asks for. */
export type Selection = {
  readonly rungs: readonly Rung[];
  readonly words: readonly string[];
  readonly shard?: Shard;
  /** Only what changes since this commit touch. */
  readonly since?: string;
  /** Fail for files that take longer than they may. */
  readonly isBudgetStrict?: true;
  /** Write the seconds of this run to the file that is committed. */
  readonly keepTimes?: true;
};

/**
 * Reads the command line: names of rungs choose rungs (none = all), every other word narrows the files.
 *
 * @throws {TypeError} for a flag that doesn't exist, or without its value.
 * @throws {RangeError} for a shard that can't be.
 */
export function select(args: readonly string[]): Selection {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      shard: { type: 'string' },
      since: { type: 'string' },
      'strict-budget': { type: 'boolean' },
      'keep-times': { type: 'boolean' },
    },
  });
  const chosen = rungs.filter((rung) => positionals.includes(rung));
  return {
    rungs: chosen.length === 0 ? rungs : chosen,
    words: positionals.filter((word) => !rungs.some((rung) => rung === word)),
    ...(values['strict-budget'] === true && { isBudgetStrict: true }),
    ...(values['keep-times'] === true && { keepTimes: true }),
    ...(values.shard !== undefined && { shard: readShard(values.shard) }),
    ...(values.since !== undefined && { since: values.since }),
  };
}
