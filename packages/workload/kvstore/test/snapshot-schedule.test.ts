import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import {
  catalogueFile,
  expired,
  KvstoreError,
  listCatalogue,
  type ScheduledSnapshot,
  type SnapshotInfo,
  snapshotOnSchedule,
  verifyCatalogue,
} from '../src/index.ts';
import { HandClock } from './hand-clock.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 21, 12);
const info: SnapshotInfo = {
  fileBytes: 1n,
  sha256: '',
  digest: 'valid',
  hash: 0,
  revision: 1n,
  totalKeys: 1n,
  revisions: 1n,
  keyspaceHash: 0,
  compacting: false,
  totalBytes: 1n,
  usedBytes: 1n,
  storageVersion: undefined,
  clusterVersion: undefined,
};

/** Leaves a file, as a snapshot would. */
async function save(file: string): Promise<SnapshotInfo> {
  await writeFile(file, '', { flag: 'wx' });
  return info;
}

test('a snapshot is due when the newest is older than the interval, and old ones go', async (t) => {
  const directory = await temporaryDirectory(t);
  const clock = new HandClock(start);
  const options = { directory, intervalMs: hourMs, retention: { last: 2 }, save, clock };
  const schedule = snapshotOnSchedule(options);
  await writeFile(join(directory, 'notes.txt'), 'mine');
  await writeFile(catalogueFile(directory, start - 2 * hourMs), '');
  const taken: ScheduledSnapshot[] = [];
  taken.push((await schedule.next()).value);
  for (let hour = 0; hour < 2; hour += 1) {
    const next = schedule.next();
    for (let minute = 0; minute < 60; minute += 1) {
      await clock.asleep();
      clock.pass(60_000);
    }
    taken.push((await next).value);
  }
  t.deepEqual(
    taken.map(({ file }) => basename(file)),
    ['etcd-20261121T120000Z.db', 'etcd-20261121T130000Z.db', 'etcd-20261121T140000Z.db'],
  );
  t.deepEqual(
    taken.map(({ removed }) => removed.map((file) => basename(file))),
    [[], ['etcd-20261121T100000Z.db'], ['etcd-20261121T120000Z.db']],
  );
  t.deepEqual(await readdir(directory), [
    'etcd-20261121T130000Z.db',
    'etcd-20261121T140000Z.db',
    'notes.txt',
  ]);
});

test('a snapshot that fails removes nothing and is tried again', async (t) => {
  const directory = await temporaryDirectory(t);
  const clock = new HandClock(start);
  await writeFile(catalogueFile(directory, start - 5 * hourMs), '');
  await writeFile(catalogueFile(directory, start - 4 * hourMs), '');
  await writeFile(`${catalogueFile(directory, start - 3 * hourMs)}.part`, 'left by a process that died');
  let tries = 0;
  const failing = async (file: string): Promise<SnapshotInfo> => {
    tries += 1;
    if (tries < 3) throw new KvstoreError('ERR_KVSTORE_UNREACHABLE', 'http://127.0.0.1', 'down');
    return save(file);
  };
  const schedule = snapshotOnSchedule({
    directory,
    intervalMs: hourMs,
    retention: { last: 1 },
    save: failing,
    clock,
  });
  t.true((await schedule.next()).value.outcome instanceof KvstoreError);
  t.is((await listCatalogue(directory)).length, 2);
  t.is((await readdir(directory)).length, 2);
  for (;;) {
    const next = schedule.next();
    await clock.asleep();
    clock.pass(60_000);
    const { outcome, removed } = (await next).value;
    if (outcome instanceof KvstoreError) continue;
    t.is(removed.length, 2);
    break;
  }
  t.is(tries, 3);
});

test('a clock that is set forth and back makes no snapshot too many and keeps none from being made', async (t) => {
  const directory = await temporaryDirectory(t);
  const clock = new HandClock(start);
  const stop = new AbortController();
  const options = {
    directory,
    intervalMs: hourMs,
    retention: { last: 10 },
    save,
    clock,
    signal: stop.signal,
  };
  const schedule = snapshotOnSchedule(options);
  await schedule.next();
  let next = schedule.next();
  await clock.asleep();
  clock.set(start + 1_000 * hourMs);
  clock.pass(60_000);
  t.is((await next).value.atMs, start + 1_000 * hourMs + 60_000);
  next = schedule.next();
  await clock.asleep();
  clock.set(start + hourMs);
  clock.pass(60_000);
  t.is((await next).value.atMs, start + hourMs + 60_000);
  next = schedule.next();
  await clock.asleep();
  stop.abort(new Error('enough'));
  await t.throwsAsync(next, { message: 'enough' });
  t.is((await listCatalogue(directory)).length, 3);
});

test('snapshots named in the future are neither removed nor counted against those that are kept', async (t) => {
  const directory = await temporaryDirectory(t);
  const years = [start + 9_000 * hourMs, start + 9_001 * hourMs].map((ms) => catalogueFile(directory, ms));
  for (const file of years) await writeFile(file, '');
  await writeFile(catalogueFile(directory, start - 3 * hourMs), '');
  await writeFile(catalogueFile(directory, start - 2 * hourMs), '');
  const retention = { last: 2, daily: 2 };
  const options = { directory, intervalMs: hourMs, retention, save, clock: new HandClock(start) };
  const { removed } = (await snapshotOnSchedule(options).next()).value;
  t.deepEqual(removed, [catalogueFile(directory, start - 3 * hourMs)]);
  t.deepEqual(
    (await listCatalogue(directory)).map(({ file }) => file),
    [catalogueFile(directory, start - 2 * hourMs), catalogueFile(directory, start), ...years],
  );
});

const at = (day: number, hour: number): { takenMs: number } => ({ takenMs: Date.UTC(2026, 10, day, hour) });

test('retention keeps the newest, and the newest of days and weeks', (t) => {
  // The 16th is a Monday.
  const snapshots = [at(8, 1), at(9, 1), at(15, 1), at(15, 23), at(16, 0), at(16, 12), at(17, 1), at(17, 2)];
  const kept = (retention: Parameters<typeof expired>[1]): number[] => {
    const gone = new Set(expired(snapshots, retention));
    return snapshots.flatMap((snapshot, index) => (gone.has(snapshot) ? [] : [index]));
  };
  t.deepEqual(kept({ last: 3 }), [5, 6, 7]);
  t.deepEqual(kept({ last: 1, daily: 3 }), [3, 5, 7]);
  t.deepEqual(kept({ last: 1, weekly: 3 }), [0, 3, 7]);
  t.deepEqual(kept({ last: 2, daily: 2, weekly: 2 }), [3, 5, 6, 7]);
  t.deepEqual(kept({ last: 100 }), [0, 1, 2, 3, 4, 5, 6, 7]);
  t.throws(() => expired(snapshots, { last: 0 }), { instanceOf: RangeError });
});

test('every snapshot of a directory is judged, and one that is bad does not end it', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(catalogueFile(directory, start), 'no database');
  await writeFile(catalogueFile(directory, start + hourMs), '');
  await writeFile(join(directory, 'other.db'), '');
  const codes: string[] = [];
  for await (const { outcome } of verifyCatalogue(directory)) {
    codes.push(outcome instanceof KvstoreError ? outcome.code : 'sound');
  }
  t.deepEqual(codes, ['ERR_KVSTORE_SNAPSHOT_FOREIGN', 'ERR_KVSTORE_SNAPSHOT_FOREIGN']);
});
