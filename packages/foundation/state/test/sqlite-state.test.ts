import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import type { Operation } from '../src/index.ts';
import { sqliteState } from '../src/sqlite/index.ts';
import { contract } from './contract.ts';

contract(test, 'sqlite', async (t) => {
  const state = await sqliteState(join(await temporaryDirectory(t), 'state.db'), { maxLogRows: 1100 });
  t.teardown(async () => await state[Symbol.asyncDispose]());
  return {
    state,
    overrunBy: 3000,
    forget: async (kind) => {
      for (let group = 0; group < 24; group += 1) {
        const ids = Array.from({ length: 100 }, (_, index) => `${group}-${index}`);
        await state.transaction(
          ids.map((id): Operation => ({ op: 'create', key: { ...kind, id }, spec: 0 })),
        );
      }
    },
  };
});
