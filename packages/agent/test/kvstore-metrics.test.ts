import { systemClock } from '@nodecore/sys';
import test from 'ava';
import { Registry } from 'prom-client';

import { kvstoreMetrics } from '../src/kvstore/metrics.ts';
import { kindOf } from '../src/resources/definitions.ts';
import {
  kvstoreDefragmentations,
  kvstoreMembers,
  kvstoreSnapshots,
  kvstoreStatuses,
} from '../src/resources/kvstore-definitions.ts';
import { Store } from '../src/resources/store.ts';

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
  put(
    kvstoreSnapshots,
    new Map([
      ['older', { taken: '2026-11-20T12:00:00.000Z', size: 1n }],
      ['newer', { taken: '2026-11-21T12:00:00.000Z', size: 7n }],
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
    ['defragmentation_timestamp_seconds', Date.UTC(2026, 10, 21, 13) / 1000],
    ['defragmentation_failed', 0],
    ['defragmentation_stall_seconds', 1.5],
  ] as const)
    t.true(values.includes(`nodecore_kvstore_${name} ${value}`), name);
  t.false(
    values.some((line) => line.includes('db_quota_bytes')),
    'etcd 3.5 does not say',
  );

  put(kvstoreMembers, new Map([['local', { phase: 'failed', restarts: 3 }]]));
  put(kvstoreStatuses, new Map());
  const failed = await valuesOf(registry);
  t.true(failed.includes('nodecore_kvstore_member_phase{phase="failed"} 1'));
  t.false(
    failed.some((line) => /healthy|db_bytes|raft|is_leader/.test(line)),
    failed.join('\n'),
  );
});
