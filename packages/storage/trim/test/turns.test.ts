import test from 'ava';

import { Turns } from '../src/index.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Asks for a turn and notes when it comes. */
function ask(turns: Turns, name: string, disks: readonly string[], order: string[], signal?: AbortSignal) {
  const turn = turns.take(disks, signal).then((taken) => {
    order.push(name);
    return taken;
  });
  turn.catch(() => {}); // some tests look at it later
  return turn;
}

test('one at a time for each disk, in the order of asking; other disks go on', async (t) => {
  const turns = new Turns();
  const order: string[] = [];
  const a = ask(turns, 'a', ['sda'], order);
  const b = ask(turns, 'b', ['sda'], order);
  const c = ask(turns, 'c', ['sdb'], order);
  await settle();
  t.deepEqual(order, ['a', 'c']);
  (await a)[Symbol.dispose]();
  (await a)[Symbol.dispose]();
  await settle();
  t.deepEqual(order, ['a', 'c', 'b']);
  (await b)[Symbol.dispose]();
  (await c)[Symbol.dispose]();
});

test('who needs two disks is not overtaken for ever, and never holds one while waiting for the other', async (t) => {
  const turns = new Turns(9);
  const order: string[] = [];
  const a = ask(turns, 'a', ['sda'], order);
  const both = ask(turns, 'both', ['sda', 'sdb'], order);
  const late = ask(turns, 'late', ['sdb'], order);
  await settle();
  t.deepEqual(order, ['a']);
  (await a)[Symbol.dispose]();
  await settle();
  t.deepEqual(order, ['a', 'both']);
  (await both)[Symbol.dispose]();
  await late;
});

test('no more than two at once, however many disks there are', async (t) => {
  const turns = new Turns();
  const order: string[] = [];
  const first = ask(turns, '1', ['sda'], order);
  for (const [index, disk] of ['sdb', 'sdc', 'sdd'].entries())
    void ask(turns, String(index + 2), [disk], order);
  await settle();
  t.deepEqual(order, ['1', '2']);
  (await first)[Symbol.dispose]();
  await settle();
  t.deepEqual(order, ['1', '2', '3']);
});

test('who stops waiting holds nobody back', async (t) => {
  const turns = new Turns(9);
  const order: string[] = [];
  await ask(turns, 'a', ['sda'], order);
  const stop = new AbortController();
  const both = ask(turns, 'both', ['sda', 'sdb'], order, stop.signal);
  void ask(turns, 'b', ['sdb'], order);
  stop.abort(new Error('changed my mind'));
  await t.throwsAsync(both, { message: 'changed my mind' });
  await settle();
  t.deepEqual(order, ['a', 'b']);
  await t.throwsAsync(turns.take(['sdz'], stop.signal), { message: 'changed my mind' });
});
