import test from 'ava';

import { TrimError } from '../src/index.ts';
import { trimError } from '../src/errors.ts';
import type { Range } from '../src/progression.ts';
import { trimRanges, type TrimProgress } from '../src/trim.ts';
import { LeapingClock } from './leaping-clock.ts';

const mib = 1n << 20n;
const gib = 1n << 30n;

/** A filesystem that notes what is discarded, and does what a test wants at some range. */
function filesystem(
  options: { readonly totalBytes?: bigint; readonly at?: (index: number) => bigint | undefined } = {},
) {
  const { totalBytes = 2n * gib, at = () => mib } = options;
  const ranges: Range[] = [];
  return {
    ranges,
    layout: async () => ({ totalBytes }),
    discard: async (range: Range) => {
      ranges.push(range);
      return at(ranges.length - 1);
    },
  };
}

test('a trim tells how far it is after each range, and what it came to', async (t) => {
  const clock = new LeapingClock();
  const fs = filesystem({
    at: (index) => {
      clock.pass(index === 3 ? 70 : 10);
      return mib;
    },
  });
  const progress: TrimProgress[] = [];
  const report = await trimRanges(fs, { clock, onProgress: (each) => progress.push(each) });
  t.is(fs.ranges.length, 16);
  t.deepEqual(
    progress.map(({ doneBytes }) => doneBytes / mib),
    Array.from({ length: 16 }, (_, index) => BigInt(index + 1) * 128n),
  );
  t.deepEqual(report, {
    doneBytes: 2n * gib,
    totalBytes: 2n * gib,
    ranges: 16,
    trimmedBytes: 16n * mib,
    longestRangeMs: 70,
    pausedMs: 0,
    durationMs: 220,
  });
});

test('an abort ends a trim after the range that runs', async (t) => {
  const stop = new AbortController();
  const fs = filesystem({
    at: (index) => {
      if (index === 2) stop.abort(new Error('shutting down'));
      return mib;
    },
  });
  await t.throwsAsync(trimRanges(fs, { signal: stop.signal }), { message: 'shutting down' });
  t.is(fs.ranges.length, 3);
  await t.throwsAsync(trimRanges(fs, { signal: stop.signal }), { message: 'shutting down' });
  t.is(fs.ranges.length, 3, 'and one that is aborted before it begins does nothing');
});

test('a filesystem that ends before its device is trimmed to its end', async (t) => {
  const fs = filesystem({ at: (index) => (index < 5 ? mib : undefined) });
  const report = await trimRanges(fs);
  t.is(fs.ranges.length, 6);
  t.like(report, { ranges: 5, doneBytes: 2n * gib });
});

test('who listens can not be harmed by what was told before, and an error of his ends the trim', async (t) => {
  const fs = filesystem();
  await t.throwsAsync(
    trimRanges(fs, {
      onProgress: () => {
        throw new Error('no room');
      },
    }),
    { message: 'no room' },
  );
  t.is(fs.ranges.length, 1);
});

const permanences: Readonly<Record<string, readonly [code: string, permanence: string]>> = {
  EOPNOTSUPP: ['ERR_TRIM_UNSUPPORTED', 'needs-operator'],
  ENOTTY: ['ERR_TRIM_UNSUPPORTED', 'needs-operator'],
  EROFS: ['ERR_TRIM_READ_ONLY', 'needs-operator'],
  EPERM: ['ERR_TRIM_DENIED', 'needs-operator'],
  EIO: ['ERR_TRIM_DEVICE', 'transient'],
  EUCLEAN: ['ERR_TRIM_FAILED', 'needs-operator'],
  ENOMEM: ['ERR_TRIM_FAILED', 'transient'],
  EINVAL: ['ERR_TRIM_FAILED', 'fatal'],
};

for (const [errno, [code, permanence]] of Object.entries(permanences))
  test(`${errno} is ${code}, which is ${permanence}`, (t) => {
    const error = trimError('/var', 'FITRIM', errno);
    t.true(error instanceof TrimError);
    t.like(error, { code, permanence, errno, target: '/var', message: `trim of /var: FITRIM: ${errno}` });
  });
