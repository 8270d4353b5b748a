import test from 'ava';
import { parseDuration } from '../src/duration.ts';

for (const [text, milliseconds] of [
  ['1m0s', 60_000],
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  ['250ms', 250],
] as const)
  test(`${text} is ${milliseconds} ms`, (t) => {
    t.is(parseDuration(text), milliseconds);
  });

test('a number without a unit, an unknown unit and nothing are no durations', (t) => {
  for (const text of ['', '5', '5d', '1m 0s', '-1s', 's'])
    t.throws(() => parseDuration(text), undefined, text);
});
