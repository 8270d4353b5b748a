import test from 'ava';

import { memoryState, Store } from '../src/index.ts';
import { createMany } from './contract-scene.ts';
import { contract } from './contract.ts';

// There is no case for a kill: what is in memory is gone with its process, the acknowledged and the half-written alike.
contract(test, 'memory', async () => {
  const store = new Store({ historyLimit: 1024 });
  const state = memoryState(store);
  return {
    state,
    overrun: async (kind) => await createMany(state, kind, 1500),
    forget: async (kind) => {
      for (let value = 0; value <= 1024; value += 1) store.modify({ ...kind, id: 'other' }, () => value);
    },
  };
});

test('both faces of a store have the same resources and revisions', async (t) => {
  const store = new Store();
  const state = memoryState(store);
  const key = { namespace: 'runtime', type: 'Things.test.nodecore.dev', id: 'a' };
  store.create(key, 1, { owner: 'one' });
  const watch = state.watch({ kind: key, bootstrap: true });
  await watch.next();
  await state.update(key, 2, { version: 1, owner: 'one' });
  t.is(store.get(key)?.spec, 2);
  store.modify(key, () => 3, { owner: 'one', version: 9 });
  t.is((await state.get(key))?.metadata.version, 9);
  t.is((await watch.next()).value?.length, 2);
});
