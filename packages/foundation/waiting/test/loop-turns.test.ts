import { setImmediate as turn } from 'node:timers/promises';

import test from 'ava';

import { LoopTurns } from '../src/loop-turns.ts';

/** Resolves behind all that waits for nothing but promises. */
async function microtasks(): Promise<void> {
  for (let each = 0; each < 10; each += 1) await Promise.resolve();
}

test('the first few parts of a turn of the loop go at once, the others in the turns behind it in their order', async (t) => {
  const turns = new LoopTurns(4);
  const gone: number[] = [];
  const all = Array.from({ length: 20 }, (_each, index) => turns.take().then(() => gone.push(index)));
  const counts: number[] = [];
  while (gone.length < 20) {
    await microtasks(); // what goes at once has gone
    counts.push(gone.length);
    await turn();
  }
  await Promise.all(all);
  t.deepEqual(counts, [4, 8, 12, 16]);
  t.deepEqual(
    gone,
    Array.from({ length: 20 }, (_each, index) => index),
  );
});

test('the next turn of the loop counts anew', async (t) => {
  const turns = new LoopTurns(4);
  for (let round = 0; round < 3; round += 1) {
    let count = 0;
    for (let each = 0; each < 4; each += 1) void turns.take().then(() => (count += 1));
    await microtasks();
    t.is(count, 4);
    await turn();
  }
});
