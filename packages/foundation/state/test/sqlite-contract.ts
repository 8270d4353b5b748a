import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test from 'ava';

import { type SqliteState, sqliteState, type SqliteStateOptions } from '../src/sqlite/index.ts';
import { createMany } from './contract-scene.ts';
import { contract } from './contract.ts';

/** The contract over files: one for all cases, and one for each that is alone. */
export function sqliteContract(driver: string, options: SqliteStateOptions = {}): void {
  const ends = new AsyncDisposableStack();
  test.after.always(async () => await ends.disposeAsync());
  const open = async (given: SqliteStateOptions): Promise<SqliteState> => {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
    ends.defer(async () => await rm(directory, { recursive: true }));
    return ends.use(await sqliteState(join(directory, 'state.db'), { ...options, ...given }));
  };
  let shared: Promise<SqliteState> | undefined;
  contract(test, driver, async (_t, isAlone) => {
    const state = await (isAlone ? open({ maxLogRows: 1100 }) : (shared ??= open({})));
    return {
      state,
      overrun: async (kind) => await createMany(state, kind, 3000),
      forget: async (kind) => await createMany(state, kind, 2400),
    };
  });
}
