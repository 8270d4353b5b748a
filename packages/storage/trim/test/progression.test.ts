import test from 'ava';

import { Progression, type Step } from '../src/progression.ts';

const mib = 1n << 20n;
const gib = 1n << 30n;

/** All steps, each taking as long as `tookMs` says for its length. */
function steps(
  layout: ConstructorParameters<typeof Progression>[0],
  tookMs: (lengthBytes: bigint) => number = () => 0,
): Step[] {
  const progression = new Progression(layout);
  const all: Step[] = [];
  for (let step = progression.next(); step !== undefined; step = progression.next()) {
    all.push(step);
    progression.took(tookMs(step.range.length ?? 0n));
  }
  return all;
}

const lengths = (all: readonly Step[]): number[] =>
  all.flatMap(({ range }) => (range.length === undefined ? [] : [Number(range.length / mib)]));

test('ranges follow one another without a gap, and the last has no end', (t) => {
  for (const totalBytes of [1n, 64n * mib, 2n * gib, 100n * gib + 5n]) {
    const all = steps({ totalBytes });
    let at = 0n;
    for (const { range } of all.slice(0, -1)) {
      t.is(range.start, at);
      at += range.length ?? 0n;
    }
    t.like(all.at(-1), { range: { start: at, length: undefined }, doneBytes: totalBytes });
    t.true(at < totalBytes);
  }
});

test('a quick disk gets larger ranges, up to 1 GiB, a sixteenth of the filesystem at most', (t) => {
  t.deepEqual(lengths(steps({ totalBytes: 40n * gib })).slice(0, 6), [128, 256, 512, 1024, 1024, 1024]);
  t.true(lengths(steps({ totalBytes: 4n * gib })).every((length) => length <= 256));
  t.deepEqual(lengths(steps({ totalBytes: gib })).length, 15);
});

test('a slow disk gets smaller ranges, never below 64 MiB, and no length that was slow before', (t) => {
  const slow = lengths(steps({ totalBytes: 40n * gib }, (length) => Number(length / mib) * 2)); // 512 MiB/s
  t.deepEqual(slow.slice(0, 5), [128, 128, 128, 128, 128]);
  const verySlow = lengths(steps({ totalBytes: 40n * gib }, (length) => Number(length / mib) * 100));
  t.deepEqual([...new Set(verySlow)], [128, 64]);
  let calls = 0;
  const once = lengths(steps({ totalBytes: 40n * gib }, () => ((calls += 1) === 3 ? 900 : 0)));
  t.deepEqual([...new Set(once)], [128, 256, 512]);
  t.is(once.filter((length) => length === 512).length, 1);
});

test('what comes in pieces is cut only between them', (t) => {
  const pieces = [
    { start: 20n * mib, length: 8n * mib },
    { start: 28n * mib, length: 256n * mib },
    { start: 5n * gib, length: gib },
    { start: 9n * gib, length: 100n * mib },
  ];
  const totalBytes = 8n * mib + 256n * mib + gib + 100n * mib;
  const all = steps({ totalBytes, pieces });
  t.deepEqual(
    all.map(({ range }) => range),
    [
      { start: 0n, length: 284n * mib },
      { start: 5n * gib, length: gib },
      { start: 9n * gib, length: undefined },
    ],
  );
  t.deepEqual(
    all.map(({ doneBytes }) => doneBytes / mib),
    [264n, 1288n, 1388n],
  );
});

test('a filesystem without any pieces is one range', (t) => {
  t.deepEqual(
    steps({ totalBytes: 0n, pieces: [] }).map(({ range }) => range),
    [{ start: 0n, length: undefined }],
  );
});
