import test from 'ava';

import { ProgressMeter, type SnapshotProgress } from '../src/snapshot/progress.ts';

test('progress has a rate and a time that is left', (t) => {
  let nowMs = 0;
  const reports: SnapshotProgress[] = [];
  const meter = new ProgressMeter(
    (progress) => reports.push(progress),
    () => nowMs,
  );
  meter.total(10_000n);
  for (let step = 0; step < 8; step += 1) {
    nowMs += 50;
    meter.add(1_000);
  }
  t.is(reports.length, 4);
  const last = reports.at(-1);
  t.is(last?.bytes, 8_000n);
  t.is(Math.round(last?.bytesPerSecond ?? 0), 20_000);
  t.true(Math.abs((last?.remainingSeconds ?? 0) - 0.1) < 0.001);
  meter.add(2_000);
  meter.end();
  t.is(reports.at(-1)?.remainingSeconds, 0);
});
