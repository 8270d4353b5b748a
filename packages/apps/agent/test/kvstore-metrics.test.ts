import { KvstoreError, type Rehearsal } from '@nodecore/kvstore';
import { Store } from '@nodecore/state';
import { systemClock } from '@nodecore/waiting';
import test from 'ava';
import { pino } from 'pino';
import { Registry } from 'prom-client';

import { kvstoreMetrics } from '../src/kvstore/metrics.ts';
import { Rehearsals } from '../src/kvstore/rehearsals.ts';
import { kindOf } from '../src/resources/definitions.ts';
import {
  kvstoreDefragmentations,
  kvstoreMembers,
  kvstoreSnapshots,
  kvstoreStatuses,
} from '../src/kvstore/kvstore-definitions.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

/** The lines that say something. */
async function valuesOf(registry: Registry): Promise<readonly string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('metrics say what the resources say, and nothing of what nobody knows', async (t) => {
  const store = new Store({ clock: systemClock });
  const registry = new Registry();
  kvstoreMetrics(registry, store);
  t.deepEqual(await valuesOf(registry), [], 'a node that is no member');

  const put = (kind: Parameters<typeof kindOf>[0], specs: Parameters<typeof store.replace>[1]): void =>
    store.replace(kindOf(kind), specs, 'test');
  put(kvstoreMembers, new Map([['local', { phase: 'running', healthy: true, restarts: 2 }]]));
  const leads = { memberID: 'a', leader: 'a', learner: false, dbSize: 40960n, raftIndex: 2n ** 60n };
  put(kvstoreStatuses, new Map([['local', leads]]));
  const lastRehearsal = { result: 'failed', provenRestorable: '2026-11-20T12:00:00.000Z', recoveryMs: 2500 };
  put(
    kvstoreSnapshots,
    new Map([
      ['older', { taken: '2026-11-20T12:00:00.000Z', size: 1n }],
      ['newer', { taken: '2026-11-21T12:00:00.000Z', size: 7n, lastRehearsal }],
    ]),
  );
  const last = { started: '2026-11-21T13:00:00.000Z', result: 'done', stallMs: 1500 };
  put(kvstoreDefragmentations, new Map([['local', { last }]]));
  const values = await valuesOf(registry);
  for (const [name, value] of [
    ['member_phase{phase="running"}', 1],
    ['member_phase{phase="failed"}', 0],
    ['member_healthy', 1],
    ['member_restarts', 2],
    ['member_is_learner', 0],
    ['member_is_leader', 1],
    ['db_bytes', 40960],
    ['raft_index', 2 ** 60],
    ['snapshots', 2],
    ['snapshot_taken_timestamp_seconds', Date.UTC(2026, 10, 21, 12) / 1000],
    ['snapshot_bytes', 7],
    ['snapshot_proven_restorable_timestamp_seconds', Date.UTC(2026, 10, 20, 12) / 1000],
    ['snapshot_rehearsal_failed', 1],
    ['snapshot_recovery_seconds', 2.5],
    ['defragmentation_timestamp_seconds', Date.UTC(2026, 10, 21, 13) / 1000],
    ['defragmentation_failed', 0],
    ['defragmentation_stall_seconds', 1.5],
  ] as const)
    t.true(values.includes(`nodeos_kvstore_${name} ${value}`), name);
  t.false(
    values.some((line) => line.includes('db_quota_bytes')),
    'etcd 3.5 does not say',
  );

  put(kvstoreMembers, new Map([['local', { phase: 'failed', restarts: 3 }]]));
  put(kvstoreStatuses, new Map());
  const failed = await valuesOf(registry);
  t.true(failed.includes('nodeos_kvstore_member_phase{phase="failed"} 1'));
  t.false(
    failed.some((line) => /healthy|db_bytes|raft|is_leader/.test(line)),
    failed.join('\n'),
  );
});

test('a snapshot is proven restorable as often as somebody says, and again at once when that failed', async (t) => {
  const clock = new FakeClock();
  const hourMs = 3_600_000;
  const rehearsed: string[] = [];
  let failure: Error | undefined;
  const rehearsals = new Rehearsals({
    log: pino({ level: 'silent' }),
    clock,
    rehearse: (file) => {
      rehearsed.push(file);
      const took = { restoreMs: 2_000, startMs: 500 } as Rehearsal;
      return failure === undefined ? Promise.resolve(took) : Promise.reject(failure);
    },
  });
  const { signal } = new AbortController();
  await rehearsals.follow('0', undefined, signal);
  t.is(rehearsals.state, undefined, 'nobody wants any');
  await rehearsals.follow('1', 24 * hourMs, signal);
  const provenMs = clock.now();
  t.like(rehearsals.state, { file: '1', failure: undefined, provenMs, recoveryMs: 2_500 });
  clock.advance(23 * hourMs);
  await rehearsals.follow('2', 24 * hourMs, signal);
  clock.advance(hourMs);
  failure = new KvstoreError('ERR_KVSTORE_FAILED', '3', 'other keys');
  await rehearsals.follow('3', 24 * hourMs, signal);
  const told = { code: 'ERR_KVSTORE_FAILED', message: '3: other keys' };
  t.like(rehearsals.state, { file: '3', failure: told, provenMs, recoveryMs: 2_500 });
  await rehearsals.follow('4', 24 * hourMs, signal);
  t.deepEqual(rehearsed, ['1', '3', '4']);
  failure = new TypeError('of ours');
  await t.throwsAsync(rehearsals.follow('5', hourMs, signal), { instanceOf: TypeError });
});
