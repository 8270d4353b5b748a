import test from 'ava';

import {
  estimateStallMs,
  KvstoreError,
  planDefragmentation,
  quorumOf,
  survivesRemoval,
  type ClusterView,
  type MemberView,
} from '../src/index.ts';
import { must } from './must.ts';

const MiB = 1n << 20n;

type Shape = {
  readonly sizeMiB?: bigint;
  readonly inUseMiB?: bigint;
  readonly isDown?: boolean;
  readonly isLearner?: boolean;
  readonly isCorrupt?: boolean;
  readonly lag?: bigint;
};

/** A cluster whose first member leads. */
function cluster(...shapes: readonly Shape[]): ClusterView {
  return { leaderId: 1n, members: shapes.map(viewOf) };
}

function viewOf(shape: Shape, index: number): MemberView {
  const {
    sizeMiB = 100n,
    inUseMiB = 10n,
    isDown = false,
    isLearner = false,
    isCorrupt = false,
    lag = 0n,
  } = shape;
  const id = BigInt(index + 1);
  const member = { id, name: `m${id}`, peerUrls: [], clientUrls: [], isLearner };
  const alarms = isCorrupt ? (['corrupt'] as const) : [];
  const error = new KvstoreError('ERR_KVSTORE_UNREACHABLE', `m${id}`, 'no connection');
  if (isDown) return { member, endpoint: undefined, status: undefined, error, alarms };
  const status = {
    memberId: id,
    clusterId: 1n,
    version: '3.5.16',
    storageVersion: undefined,
    dbSizeBytes: sizeMiB * MiB,
    dbSizeInUseBytes: inUseMiB * MiB,
    dbQuotaBytes: undefined,
    leaderId: 1n,
    isLeader: index === 0,
    isLearner,
    revision: 1n,
    raftIndex: 100_000n,
    raftTerm: 2n,
    raftAppliedIndex: 100_000n - lag,
    errors: [],
  };
  return { member, endpoint: `http://m${id}:2379`, status, error: undefined, alarms };
}

function names(view: ClusterView): string[] {
  return planDefragmentation(view).steps.map(({ member }) => member.name);
}

function obstacle(view: ClusterView): string {
  return planDefragmentation(view).obstacles.join('; ');
}

test('the leader is the last, the others in the order of the list', (t) => {
  t.deepEqual(names(cluster({}, {}, {})), ['m2', 'm3', 'm1']);
});

test('a member is left alone when too little of its file is free, by share or by bytes', (t) => {
  const plan = planDefragmentation(
    cluster(
      { sizeMiB: 100n, inUseMiB: 51n },
      { sizeMiB: 20n, inUseMiB: 5n },
      { sizeMiB: 100n, inUseMiB: 50n },
    ),
  );
  t.deepEqual(
    plan.steps.map(({ member }) => member.name),
    ['m3'],
  );
  t.deepEqual(
    plan.skipped.map(({ reason }) => reason),
    ['not-worthwhile', 'not-worthwhile'],
  );
  t.regex(must(plan.skipped[0]).message, /49 % of/);
  const eager = planDefragmentation(cluster({ sizeMiB: 20n, inUseMiB: 20n }), {
    minFreeRatio: 0,
    minFreeBytes: 0n,
  });
  t.is(eager.steps.length, 1);
});

test('learners, members that are down and those that nobody asked for are left alone, each with its reason', (t) => {
  const plan = planDefragmentation(cluster({}, { isLearner: true }, { isDown: true }, {}, {}), {
    memberIds: [1n, 2n, 3n, 4n],
  });
  t.deepEqual(
    plan.skipped.map(({ member, reason }) => [member.name, reason]),
    [
      ['m2', 'learner'],
      ['m3', 'down'],
      ['m5', 'not-chosen'],
    ],
  );
});

test('a copy that would fill the disk is not begun, and an unknown disk is no full one', (t) => {
  const view = cluster({}, {});
  const plan = planDefragmentation(view, { freeDiskBytes: new Map([[2n, 15n * MiB]]) });
  t.deepEqual(
    plan.steps.map(({ member }) => member.name),
    ['m1'],
  );
  t.is(must(plan.skipped[0]).reason, 'disk-full');
  t.is(planDefragmentation(view, { freeDiskBytes: new Map([[2n, 20n * MiB]]) }).steps.length, 2);
});

test('nothing is in the way while all are well, also in clusters of one and two', (t) => {
  for (const shapes of [[{}], [{}, {}], [{}, {}, {}], [{}, {}, { isLearner: true, lag: 99_999n }]] as const)
    t.deepEqual(planDefragmentation(cluster(...shapes)).obstacles, []);
  t.deepEqual(planDefragmentation(cluster({}, {}, {}, {}, { isDown: true })).obstacles, []);
});

test('a member that is down, corrupt or behind is in the way, and so is a missing leader', (t) => {
  t.regex(obstacle(cluster({}, {}, { isDown: true })), /only 2 of 3 voting members are well/);
  t.regex(obstacle(cluster({}, {}, {}, { isDown: true }, { isDown: true })), /only 3 of 5/);
  t.regex(obstacle(cluster({}, {}, {}, {}, { isCorrupt: true })), /m5 .* replace it/);
  t.regex(obstacle(cluster({}, {}, { lag: 1_001n })), /1001 entries behind/);
  t.is(obstacle(cluster({}, {}, { lag: 1_000n })), '');
  t.regex(obstacle({ ...cluster({}, {}, {}), leaderId: undefined }), /no leader/);
});

test('the stall is estimated by the slowest of a member’s own last ones', (t) => {
  t.is(estimateStallMs(1n, 1_000_000_000n, []), 3_300);
  t.is(estimateStallMs(1n, 0n, []), 50);
  const stall = (memberId: bigint, inUse: bigint, tookMs: number) => ({
    memberId,
    inUseBytes: inUse * MiB,
    tookMs,
  });
  const history = [
    stall(1n, 100n, 9_000), // too long ago
    stall(1n, 100n, 100),
    stall(1n, 100n, 300),
    stall(1n, 100n, 200),
    stall(1n, 100n, 100),
    stall(1n, 100n, 100),
    stall(2n, 100n, 5_000), // another machine
    { memberId: 1n, inUseBytes: 1_000n, tookMs: 900 }, // says nothing
  ];
  t.is(estimateStallMs(1n, 200n * MiB, history), 600);
  t.is(estimateStallMs(2n, 200n * MiB, history), 10_000);
});

test('what a cluster can lose is counted among those who vote', (t) => {
  t.deepEqual(quorumOf(cluster({}, {}, {}, { isLearner: true })), {
    voters: 3,
    needed: 2,
    healthy: 3,
    spare: 1,
  });
  t.is(quorumOf(cluster({}, {}, { isCorrupt: true })).spare, 0);
  t.is(quorumOf(cluster({}, { isDown: true }, { isDown: true })).spare, -1);
  t.true(survivesRemoval(cluster({}, {}, { isDown: true }), 3n));
  t.false(survivesRemoval(cluster({}, {}, { isDown: true }), 2n));
  t.false(survivesRemoval(cluster({}), 1n));
});
