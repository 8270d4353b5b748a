import test from 'ava';

import { earliest } from '../src/client/earliest.ts';

const options = {
  max: 3,
  patienceMs: 5,
  mayPass: (error: unknown) => error === 'hung up',
  discard: () => {},
};

test('an attempt that is hung up on is followed by others, so many', async (t) => {
  let attempts = 0;
  const failing = (): Promise<never> => {
    attempts += 1;
    return Promise.reject('hung up');
  };
  t.is(await earliest(failing, options).catch((error: unknown) => error), 'hung up');
  t.is(attempts, 3);
  const second = (): Promise<string> =>
    attempts++ === 3 ? Promise.reject('hung up') : Promise.resolve('in');
  t.is(await earliest(second, options), 'in');
});

test('an attempt beside one that is silent wins, and the silent one hears of it', async (t) => {
  const signals: AbortSignal[] = [];
  const attempt = (lost: AbortSignal): Promise<number> => {
    const number = signals.push(lost);
    return number === 1 ? new Promise(() => {}) : Promise.resolve(number);
  };
  t.is(await earliest(attempt, options), 2);
  t.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
});

test('what no other attempt would do better than is told at once', async (t) => {
  let attempts = 0;
  const refused = (): Promise<never> => {
    attempts += 1;
    return Promise.reject('another certificate');
  };
  t.is(await earliest(refused, options).catch((error: unknown) => error), 'another certificate');
  t.is(attempts, 1);
});

test('of two that come at once one is given back', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const discarded: number[] = [];
  let attempts = 0;
  const attempt = async (): Promise<number> => {
    attempts += 1;
    const number = attempts;
    if (number === 2) resolve();
    await promise;
    return number;
  };
  t.is(await earliest(attempt, { ...options, discard: (made: number) => discarded.push(made) }), 1);
  await Promise.resolve();
  t.deepEqual(discarded, [2]);
});

test('its signal ends all attempts, and none begins after it', async (t) => {
  const closing = new AbortController();
  const lost: boolean[] = [];
  const attempt = (signal: AbortSignal): Promise<never> => {
    const number = lost.push(false) - 1;
    signal.addEventListener('abort', () => (lost[number] = true));
    if (lost.length === 2) closing.abort('closed');
    return new Promise(() => {});
  };
  t.is(
    await earliest(attempt, { ...options, signal: closing.signal }).catch((error: unknown) => error),
    'closed',
  );
  t.deepEqual(lost, [true, true]);
  t.is(
    await earliest(attempt, { ...options, signal: closing.signal }).catch((error: unknown) => error),
    'closed',
  );
  t.is(lost.length, 2);
});
