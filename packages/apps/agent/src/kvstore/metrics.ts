import type { ResourceDefinition } from '@nodecore/api';
import type { Store } from '@nodecore/state';
import { Gauge, type Registry } from 'prom-client';

import { kindOf } from '../resources/definitions.ts';
import {
  kvstoreDefragmentations,
  kvstoreMembers,
  kvstoreSnapshots,
  kvstoreStatuses,
} from './kvstore-definitions.ts';
import type { MemberPhase } from './member-state.ts';

type Spec = Readonly<Record<string, unknown>>;

const phases: readonly MemberPhase[] = ['waiting', 'joining', 'starting', 'running', 'failed', 'removed'];

/** What the resources of the kvstore say, at the moment they are asked for. Unknown values are left out, and never 0. */
export function kvstoreMetrics(registry: Registry, store: Store): void {
  const specs = (definition: ResourceDefinition): readonly Spec[] =>
    store.list(kindOf(definition)).resources.map(({ spec }) => spec as Spec);
  const member = (): Spec | undefined => specs(kvstoreMembers)[0];
  const status = (): Spec | undefined => specs(kvstoreStatuses)[0];
  const newest = (): Spec | undefined =>
    specs(kvstoreSnapshots).toSorted((one, other) =>
      String(one['taken']) < String(other['taken']) ? 1 : -1,
    )[0];
  const last = (): Spec | undefined => specs(kvstoreDefragmentations)[0]?.['last'] as Spec | undefined;
  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    const made: Gauge = new Gauge({
      name: `nodeos_kvstore_${name}`,
      help,
      registers: [registry],
      collect: () => {
        const value = read();
        if (value === undefined) made.remove();
        else made.set(value);
      },
    });
  };
  const phase: Gauge<'phase'> = new Gauge({
    name: 'nodeos_kvstore_member_phase',
    help: 'Whether this node’s member is in the phase; absent where it is none.',
    labelNames: ['phase'],
    registers: [registry],
    collect: () => {
      const now = member()?.['phase'];
      phase.reset();
      if (now !== undefined) for (const each of phases) phase.set({ phase: each }, each === now ? 1 : 0);
    },
  });
  gauge('member_healthy', 'Whether a majority agreed with it on its last read.', () =>
    numberOf(member()?.['healthy']),
  );
  gauge('member_restarts', 'How often etcd ended by itself since the agent began.', () =>
    numberOf(member()?.['restarts']),
  );
  gauge('member_is_learner', 'Whether it has no vote.', () => numberOf(status()?.['learner']));
  gauge('member_is_leader', 'Whether it leads.', () => {
    const known = status();
    return known === undefined ? undefined : Number(known['leader'] === known['memberID']);
  });
  for (const [name, field, help] of sizes) gauge(name, help, () => numberOf(status()?.[field]));
  gauge('snapshots', 'How many the node keeps.', () =>
    member() === undefined ? undefined : specs(kvstoreSnapshots).length,
  );
  gauge('snapshot_taken_timestamp_seconds', 'When the newest was taken.', () =>
    secondsOf(newest()?.['taken']),
  );
  gauge('snapshot_bytes', 'Size of the newest.', () => numberOf(newest()?.['size']));
  const rehearsal = (): Spec | undefined => newest()?.['lastRehearsal'] as Spec | undefined;
  gauge('snapshot_proven_restorable_timestamp_seconds', 'When one was restored and started apart last.', () =>
    secondsOf(rehearsal()?.['provenRestorable']),
  );
  gauge(
    'snapshot_rehearsal_failed',
    'Whether the last snapshot that was to be restored apart failed.',
    () => {
      const result = rehearsal()?.['result'];
      return result === undefined ? undefined : Number(result === 'failed');
    },
  );
  gauge('snapshot_recovery_seconds', 'How long that took, from the file to a member that answers.', () => {
    const ms = numberOf(rehearsal()?.['recoveryMs']);
    return ms === undefined ? undefined : ms / 1000;
  });
  gauge('defragmentation_timestamp_seconds', 'When the last one on schedule began.', () =>
    secondsOf(last()?.['started']),
  );
  gauge('defragmentation_failed', 'Whether the last one on schedule failed.', () => {
    const result = last()?.['result'];
    return result === undefined ? undefined : Number(result === 'failed');
  });
  gauge('defragmentation_stall_seconds', 'How long the last one on schedule stalled the member.', () => {
    const ms = numberOf(last()?.['stallMs']);
    return ms === undefined ? undefined : ms / 1000;
  });
}

const sizes = [
  ['db_bytes', 'dbSize', 'Size of the database.'],
  ['db_in_use_bytes', 'dbSizeInUse', 'What of it is used.'],
  ['db_quota_bytes', 'dbQuota', 'Size at which it takes no more writes, since etcd 3.6.'],
  ['revision', 'revision', 'Revision of the keys.'],
  ['raft_index', 'raftIndex', 'What a majority has agreed on, as far as it knows.'],
  ['raft_applied_index', 'raftAppliedIndex', 'What of that it has done.'],
  ['raft_term', 'raftTerm', 'Counts elections.'],
] as const;

function numberOf(value: unknown): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function secondsOf(time: unknown): number | undefined {
  return typeof time === 'string' ? Date.parse(time) / 1000 : undefined;
}
