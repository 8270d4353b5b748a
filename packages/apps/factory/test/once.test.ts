import { aborted } from '@nodecore/waiting';
import test from 'ava';

import { Once } from '../src/once.ts';

test('more at once than are kept are made once each', async (t) => {
  const once = new Once<number>(2);
  const gate = Promise.withResolvers<void>();
  let made = 0;
  const make = async (): Promise<number> => {
    made += 1;
    await gate.promise;
    return made;
  };
  const ask = (): Promise<number>[] => ['a', 'b', 'c', 'd'].map((key) => once.get(key, make));
  const all = [...ask(), ...ask()];
  t.is(made, 4);
  gate.resolve();
  await Promise.all(all);
  await Promise.all([once.get('c', make), once.get('d', make)]);
  t.is(made, 4);
  await once.get('a', make);
  t.is(made, 5);
});

test('what fails is not kept', async (t) => {
  const once = new Once<string>(2);
  const fails = once.get('a', () => Promise.reject(new Error('no')));
  await t.throwsAsync(fails, { message: 'no' });
  t.is(await once.get('a', async () => 'yes'), 'yes');
});

test('what everybody has left ends, and who comes then has it made anew', async (t) => {
  const once = new Once<string>(2);
  const [one, other] = [new AbortController(), new AbortController()];
  let isEnded = false;
  const waits = once.get(
    'a',
    async ({ gone }) => {
      await aborted(gone);
      isEnded = true;
      throw new Error('nobody hears it');
    },
    one.signal,
  );
  const second = once.get('a', async () => 'is being made already', other.signal);
  one.abort();
  await t.throwsAsync(waits, { name: 'AbortError' });
  t.false(isEnded);
  other.abort();
  await t.throwsAsync(second, { name: 'AbortError' });
  t.is(await once.get('a', async () => 'anew'), 'anew');
  t.true(isEnded);
  t.is(await once.get('a', async () => 'again'), 'anew');
});

test('what keeps on is there for who comes later', async (t) => {
  const once = new Once<string>(2);
  const leaving = new AbortController();
  const gate = Promise.withResolvers<void>();
  const left = once.get(
    'a',
    async ({ keep }) => {
      keep();
      await gate.promise;
      return 'first';
    },
    leaving.signal,
  );
  leaving.abort();
  await t.throwsAsync(left, { name: 'AbortError' });
  const later = once.get('a', async () => 'second');
  gate.resolve();
  t.is(await later, 'first');
});
