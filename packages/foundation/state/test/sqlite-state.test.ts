import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { sqliteState } from '../src/sqlite/index.ts';
import { createMany } from './contract-scene.ts';
import { contract } from './contract.ts';

contract(test, 'sqlite', async (t) => {
  const state = await sqliteState(join(await temporaryDirectory(t), 'state.db'), { maxLogRows: 1100 });
  t.teardown(async () => await state[Symbol.asyncDispose]());
  return {
    state,
    overrun: async (kind) => await createMany(state, kind, 3000),
    forget: async (kind) => await createMany(state, kind, 2400),
  };
});
