import test from 'ava';

import {
  emptyBootRecord,
  nextSequence,
  parseBootRecord,
  type RecordedEntry,
  withEntry,
  withFailure,
  withoutGone,
} from '../src/index.ts';

const entry: RecordedEntry = { imageVersion: '1.14.0', sequence: 4, sha256: 'ab', sizeBytes: 10 };

test('a record says what was installed and why it failed, and survives META', (t) => {
  const record = withFailure(withEntry(emptyBootRecord, entry), entry, { reason: 'the kernel panicked' });
  t.deepEqual(parseBootRecord(JSON.parse(JSON.stringify(record))), {
    sequence: 4,
    entries: [{ ...entry, failure: { reason: 'the kernel panicked' } }],
  });
  t.is(parseBootRecord(undefined), emptyBootRecord);
  const long = withFailure(record, entry, { reason: 'x'.repeat(10_000), log: `${'y'.repeat(10_000)}end` });
  t.is(long.entries[0]?.failure?.reason.length, 4096);
  t.regex(long.entries[0]?.failure?.log ?? '', /^y{4093}end$/u, 'of lines the last ones');
  t.deepEqual(parseBootRecord(JSON.parse(JSON.stringify(long))), long);
});

test('a number is never used twice, also when the entry or META is gone', (t) => {
  const record = withEntry(emptyBootRecord, entry);
  t.is(nextSequence(record, []), 5);
  t.is(nextSequence(withoutGone(record, []), []), 5);
  t.is(nextSequence(emptyBootRecord, [{ imageVersion: '1.13.0', sequence: 9 }]), 10);
});

test('what is no record is an error, and never something else', (t) => {
  for (const value of [
    null,
    5,
    'x',
    [],
    {},
    { sequence: -1, entries: [] },
    { sequence: 1, entries: {} },
    { sequence: 1, entries: [null] },
    { sequence: 1, entries: [{ ...entry, sizeBytes: 'x' }] },
    { sequence: 1, entries: [{ ...entry, failure: 'x' }] },
    { sequence: 1.5, entries: [] },
  ]) {
    t.throws(() => parseBootRecord(value), { code: 'ERR_BOOT_RECORD' }, JSON.stringify(value));
  }
});
