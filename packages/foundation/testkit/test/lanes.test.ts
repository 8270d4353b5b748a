import test from 'ava';

import { inLanes } from '../src/lanes.ts';

/** Jobs that are ended by name, and what has begun so far. */
function jobs(names: readonly string[]): {
  begun: string[];
  end: Map<string, (error?: Error) => void>;
  list: (() => Promise<void>)[];
} {
  const begun: string[] = [];
  const end = new Map<string, (error?: Error) => void>();
  const list = names.map((name) => async () => {
    begun.push(name);
    await new Promise<void>((resolve, reject) => {
      end.set(name, (error) => {
        if (error === undefined) resolve();
        else reject(error);
      });
    });
  });
  return { begun, end, list };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('jobs begin in order, no more at once than there are lanes', async (t) => {
  const { begun, end, list } = jobs(['a', 'b', 'c', 'd']);
  const all = inLanes(2, list);
  await turn();
  t.deepEqual(begun, ['a', 'b']);
  end.get('b')?.();
  await turn();
  t.deepEqual(begun, ['a', 'b', 'c']);
  end.get('a')?.();
  await turn();
  t.deepEqual(begun, ['a', 'b', 'c', 'd']);
  for (const name of ['c', 'd']) end.get(name)?.();
  await all;
});

test('a failure is told after the other lanes have ended', async (t) => {
  const { end, list } = jobs(['a', 'b']);
  const all = inLanes(2, list);
  let settled = false;
  void all.catch(() => {}).finally(() => (settled = true));
  end.get('a')?.(new Error('a broke'));
  await turn();
  t.false(settled);
  end.get('b')?.();
  await t.throwsAsync(all, { message: 'a broke' });
});
