import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import { View } from '@nodecore/view';
import test from 'ava';

import { PerTurn } from '../src/http/per-turn.ts';
import { sendView } from '../src/http/send-view.ts';

/** Resolves behind all that waits for nothing but promises. */
async function microtasks(): Promise<void> {
  for (let each = 0; each < 10; each += 1) await Promise.resolve();
}

test('the first few parts of a turn of the loop go at once, the others in the turns behind it in their order', async (t) => {
  const parts = new PerTurn();
  const gone: number[] = [];
  const all = Array.from({ length: 20 }, (_each, index) => parts.next().then(() => gone.push(index)));
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
  const parts = new PerTurn();
  for (let round = 0; round < 3; round += 1) {
    let count = 0;
    for (let each = 0; each < 4; each += 1) void parts.next().then(() => (count += 1));
    await microtasks();
    t.is(count, 4);
    await turn();
  }
});

test('many downloads together send as few parts in a turn of the loop as one would', async (t) => {
  let [sent, most] = [0, 0];
  const downloads = Array.from({ length: 64 }, async () => {
    const response = new Writable({
      write: (_chunk, _encoding, done) => {
        sent += 1;
        done();
      },
    });
    const view = View.of({ kind: 'hole', size: 16 << 18 });
    const range = { start: 0, end: view.size };
    await sendView(view, range, response as ServerResponse, { stallMs: 60_000, onFirstByte: () => {} });
  });
  const ended = Promise.all(downloads).then(() => true);
  while (!(await Promise.race([ended, turn(false)]))) {
    most = Math.max(most, sent);
    sent = 0;
  }
  // What is counted here may have the parts of two turns.
  t.true(most > 0 && most <= 8, `${most} parts`);
});
