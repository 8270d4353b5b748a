import test from 'ava';

import { checkCondition, mayTrigger } from '../src/pressure/condition.ts';
import { sampledEvents } from '../src/pressure/sampling.ts';

/** A machine whose stall follows `stallUsAt`, and whose clock moves when somebody sleeps. */
function machine(stallUsAt: (us: number) => number, lateUs = 0) {
  let nowUs = 0;
  const line = { avg10: 0, avg60: 0, avg300: 0 };
  return {
    read: () => Promise.resolve({ ...line, totalUs: BigInt(Math.round(stallUsAt(nowUs))) }),
    nowNs: () => BigInt(nowUs) * 1000n,
    sleep: (ms: number) => {
      nowUs += ms * 1000 + lateUs;
      return Promise.resolve();
    },
  };
}

async function firstEvents(source: ReturnType<typeof machine>, count: number): Promise<number[]> {
  const times: number[] = [];
  for await (const { atNs } of sampledEvents(source, { stallUs: 100_000, windowUs: 1_000_000 })) {
    times.push(Number(atNs) / 1000);
    if (times.length === count) break;
  }
  return times;
}

test('a stall is told when a window has enough of it, and at most once per window', async (t) => {
  // Half of the time is stalled, from 2 s on.
  const source = machine((us) => Math.max(0, us - 2_000_000) / 2);
  t.deepEqual(await firstEvents(source, 3), [2_200_000, 3_200_000, 4_200_000]);
});

test('a stall below the threshold is not told, however long it lasts', async (t) => {
  // 9 % until 60 s, then 11 %.
  const source = machine((us) => (us < 60_000_000 ? us * 0.09 : 5_400_000 + (us - 60_000_000) * 0.11));
  const [first = 0] = await firstEvents(source, 1);
  t.true(first > 60_000_000 && first <= 61_000_000, String(first));
});

test('looks that come late do not make a stall larger than it was', async (t) => {
  // 9 % of the time, seen by looks that are half a window late each.
  const source = machine((us) => (us < 60_000_000 ? us * 0.09 : 5_400_000 + (us - 60_000_000)), 500_000);
  const [first = 0] = await firstEvents(source, 1);
  t.true(first >= 60_000_000, String(first));
});

test('conditions that no kernel takes are refused before it is asked', (t) => {
  const condition = { resource: 'memory', kind: 'some', stallUs: 100_000, windowUs: 1_000_000 } as const;
  t.notThrows(() => checkCondition(condition, 'x'));
  const wrong = [
    { windowUs: 499_999 },
    { windowUs: 10_000_001 },
    { windowUs: 1_000_000.5 },
    { windowUs: Number.NaN },
    { stallUs: 0 },
    { stallUs: 1_000_001 },
    { stallUs: 1.5 },
    { resource: 'irq' },
    { resource: 'xyz' as 'cpu' },
    { kind: 'all' as 'some' },
  ] as const;
  for (const change of wrong) {
    t.throws(
      () => checkCondition({ ...condition, ...change }, 'x'),
      { code: 'ERR_CGROUP_OPTION' },
      JSON.stringify(change),
    );
  }
});

test('without CAP_SYS_RESOURCE a window is a multiple of two seconds', (t) => {
  t.true(mayTrigger(1_000_000, true));
  t.false(mayTrigger(1_000_000, false));
  t.true(mayTrigger(2_000_000, false));
  t.true(mayTrigger(10_000_000, false));
});
