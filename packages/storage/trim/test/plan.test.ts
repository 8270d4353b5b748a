import test from 'ava';

import { planTrim, slotAfter, slotBefore, slotsOf } from '../src/index.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const weekMs = 168 * hourMs;
const now = Date.UTC(2026, 0, 1);
const ids = { nodeId: 'test-node-id', volumeId: 'EPHEMERAL' };
const weekly = { ...ids, intervalMs: weekMs };

const ms = (nanos: bigint): number => Math.ceil(Number(nanos / 1000n) / 1000);

function slotsAround(nodeId: string, atMs: number, intervalMs = weekMs): { before: number; after: number } {
  const slots = slotsOf(nodeId, ids.volumeId, intervalMs);
  const at = BigInt(atMs) * 1_000_000n;
  return { before: ms(slotBefore(slots, at)), after: ms(slotAfter(slots, at)) };
}

const { before, after } = slotsAround(ids.nodeId, now);

test('after a trim the next slot is the next time', (t) => {
  const plan = planTrim({ ...weekly, nowMs: now, watchedSinceMs: now - weekMs, handledMs: before });
  t.deepEqual(plan, { atMs: after, why: 'slot' });
});

test('a slot that comes while the agent runs is due at once', (t) => {
  const plan = planTrim({
    ...weekly,
    nowMs: before + 5,
    watchedSinceMs: before - hourMs,
    handledMs: before - weekMs,
  });
  t.deepEqual(plan, { atMs: before, why: 'slot' });
});

test('a volume that is new waits for its slot, whatever its past slots would have been', (t) => {
  const plan = planTrim({ ...weekly, nowMs: now, watchedSinceMs: now, handledMs: now });
  t.deepEqual(plan, { atMs: after, why: 'slot' });
});

test('a slot that passed while the node was off is caught up once, after a quarter of an hour at the earliest', (t) => {
  const input = { ...weekly, nowMs: now, watchedSinceMs: now, handledMs: before - weekMs };
  const plan = planTrim(input);
  t.is(plan.why, 'missed');
  t.true(plan.atMs >= now + 15 * minuteMs && plan.atMs < now + 15 * minuteMs + 6 * hourMs);
  const years = planTrim({ ...input, handledMs: now - 200 * weekMs });
  t.deepEqual(years, plan, 'many that were missed are one');
  const done = planTrim({ ...input, nowMs: plan.atMs, handledMs: plan.atMs });
  t.is(done.why, 'slot');
});

test('catching up keeps its moment through boots that come before it', (t) => {
  let catchUpMs: number | undefined;
  let bootMs = now;
  // A node that is booted every hour, and would never be up for six.
  for (let boots = 0; boots < 8; boots += 1, bootMs += hourMs) {
    const kept = catchUpMs === undefined ? {} : { catchUpMs };
    const plan = planTrim({
      ...weekly,
      nowMs: bootMs,
      watchedSinceMs: bootMs,
      handledMs: before - weekMs,
      ...kept,
    });
    catchUpMs ??= plan.atMs;
    if (plan.atMs < bootMs + hourMs) {
      t.true(plan.atMs >= bootMs + 15 * minuteMs, 'and there is a moment of rest after the boot');
      return;
    }
  }
  t.fail('never caught up');
});

test('a moment that was kept is not before a quarter of an hour after the start, nor long after', (t) => {
  for (let node = 0; node < 100; node += 1) {
    const plan = planTrim({
      nodeId: `node-${node}`,
      volumeId: 'EPHEMERAL',
      intervalMs: 1000 * weekMs,
      nowMs: now,
      watchedSinceMs: now,
      handledMs: 0,
      catchUpMs: now - hourMs,
    });
    t.is(plan.why, 'missed');
    t.true(plan.atMs >= now + 15 * minuteMs && plan.atMs < now + 30 * minuteMs, `node-${node}`);
  }
});

test('a regular slot that comes first makes catching up unnecessary', (t) => {
  const nowMs = after - 10 * minuteMs;
  const plan = planTrim({ ...weekly, nowMs, watchedSinceMs: nowMs, handledMs: before - weekMs });
  t.deepEqual(plan, { atMs: after, why: 'slot' });
});

for (const [what, intervalMs, most] of [
  ['after an outage', weekMs, 70],
  ['after their interval was shortened', 24 * hourMs, 70],
] as const)
  test(`1000 nodes that come back together ${what} do not trim together`, (t) => {
    const perFiveMinutes = new Map<number, number>();
    let missed = 0;
    for (let node = 0; node < 1000; node += 1) {
      const plan = planTrim({
        nodeId: `node-${node}`,
        volumeId: 'EPHEMERAL',
        intervalMs,
        nowMs: now,
        watchedSinceMs: now,
        handledMs: now - 2 * weekMs,
      });
      if (plan.why === 'missed') {
        missed += 1;
        t.true(plan.atMs >= now + 15 * minuteMs, 'a node that starts has more urgent things to do');
      }
      if (plan.atMs > now + 7 * hourMs) continue;
      const part = Math.floor(plan.atMs / (5 * minuteMs));
      perFiveMinutes.set(part, (perFiveMinutes.get(part) ?? 0) + 1);
      t.true(plan.atMs > now, 'none at once');
    }
    t.true(missed > 700, `${missed} missed one`);
    const worst = Math.max(...perFiveMinutes.values());
    t.true(worst < most, `${worst} of 1000 within five minutes; evenly it would be 14`);
  });
