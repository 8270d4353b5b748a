import { subsets } from '../src/index.ts';
import test from 'ava';

test('few things have all their subsets, from none to all', (t) => {
  t.deepEqual(subsets(0), [[]]);
  t.deepEqual(subsets(2), [[], [0], [1], [0, 1]]);
  t.is(new Set(subsets(6).map(String)).size, 64);
});

test('many things have the telling ones and a sample that a seed repeats', (t) => {
  const many = subsets(20, { limit: 100, seed: 7 });
  t.is(many.length, 100);
  t.is(new Set(many.map(String)).size, 100);
  for (const telling of [[], [13], many[1] ?? []])
    t.true(many.some((one) => String(one) === String(telling)));
  t.is(many[1]?.length, 20);
  t.is(many.filter(({ length }) => length === 19).length, 20);
  t.deepEqual(subsets(20, { limit: 100, seed: 7 }), many);
  t.notDeepEqual(subsets(20, { limit: 100, seed: 8 }), many);
});

test('more things than the limit still have each alone and all but each', (t) => {
  t.is(subsets(50, { limit: 10 }).length, 102);
});
