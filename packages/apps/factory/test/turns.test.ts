import test from 'ava';

import { clientOf, forClient } from '../src/client.ts';
import { Turns } from '../src/turns.ts';

test('work waits for its turn in the order in which it came, and what would wait too long is refused', async (t) => {
  const turns = new Turns({ atOnce: 1, maxWaiting: 2 });
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const all = ['a', 'b', 'c'].map((name) =>
    turns.run(async () => {
      if (name === 'a') await first.promise;
      done.push(name);
    }),
  );
  const refused = await t.throwsAsync(
    turns.run(async () => {}),
    { code: 'ERR_FACTORY_OVERLOADED' },
  );
  t.like(refused, { kind: 'busy', headers: { 'retry-after': '30' } });
  first.resolve();
  await Promise.all(all);
  t.deepEqual(done, ['a', 'b', 'c']);
  await turns.run(async () => void done.push('d'));
  t.is(done.at(-1), 'd');
});

test('who leaves the queue makes room in it, and is not begun', async (t) => {
  const turns = new Turns({ atOnce: 1, maxWaiting: 1 });
  const first = Promise.withResolvers<void>();
  const running = turns.run(() => first.promise);
  const leaving = new AbortController();
  const left = turns.run(async () => t.fail(), leaving.signal);
  leaving.abort();
  await t.throwsAsync(left, { name: 'AbortError' });
  await t.throwsAsync(
    turns.run(async () => t.fail(), leaving.signal),
    { name: 'AbortError' },
  );
  const next = turns.run(async () => 'next');
  first.resolve();
  await running;
  t.is(await next, 'next');
});

test('work that fails gives its turn to the next, too', async (t) => {
  const turns = new Turns({ atOnce: 2, maxWaiting: 1 });
  const gate = Promise.withResolvers<void>();
  const fails = async (): Promise<void> => {
    await gate.promise;
    throw new Error('no');
  };
  const both = [turns.run(fails), turns.run(fails)];
  const next = turns.run(async () => 'next');
  gate.resolve();
  for (const one of both) await t.throwsAsync(one, { message: 'no' });
  t.is(await next, 'next');
});

/** A queue whose only turn is taken until `begin`, what was done in it, and what was refused. */
function busyTurns(maxWaiting: number) {
  const turns = new Turns({ atOnce: 1, maxWaiting });
  const { promise, resolve: begin } = Promise.withResolvers<void>();
  const all: Promise<unknown>[] = [turns.run(() => promise)];
  const done: string[] = [];
  const refused: string[] = [];
  const ask = (client: string, name: string): void => {
    const work = forClient(client, () => turns.run(async () => void done.push(name)));
    all.push(work.catch(() => void refused.push(name)));
  };
  const end = async (): Promise<void> => {
    begin();
    await Promise.all(all);
  };
  return { ask, end, done, refused };
}

test('clients have their turns one after the other, however much one of them has asked for before', async (t) => {
  const { ask, end, done } = busyTurns(10);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) ask(name.slice(0, 1), name);
  await end();
  t.deepEqual(done, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('in a full queue who has the most makes room for who has less, until all have the same', async (t) => {
  const { ask, end, done, refused } = busyTurns(4);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'a6']) ask(name.slice(0, 1), name);
  await end();
  t.deepEqual(refused.toSorted(), ['a3', 'a4', 'a5', 'a6', 'b3']);
  t.deepEqual(done, ['a1', 'b1', 'a2', 'b2']);
});

const of = (subject: string, address: string): string => clientOf({ subject, address });

test('a client is an identity, or an address; of IPv6 the network that a machine has of its own', (t) => {
  t.is(of('ann', '192.0.2.1'), of('ann', '192.0.2.2'));
  t.not(of('ann', '192.0.2.1'), of('', '192.0.2.1'));
  t.not(of('', '192.0.2.1'), of('', '192.0.2.2'));
  t.not(of('192.0.2.1', '192.0.2.1'), of('', '192.0.2.1'));
  t.is(of('', '2001:db8::1'), of('', '2001:db8:0:0:ffff::2'));
});
