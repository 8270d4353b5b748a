import {
  compact,
  connect,
  deletePrefix,
  getPrefix,
  type Kvstore,
  nextRunMs,
  previewDefragmentation,
  put,
  status,
} from '@nodecore/kvstore';
import type { Json } from '@nodecore/state';
import { type Clock, Latest, systemClock } from '@nodecore/waiting';
import { etcd, type EtcdCluster, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { DataDirectory } from '../src/kvstore/data-directory.ts';
import { Defragmentations } from '../src/kvstore/defragmentations.ts';
import type { Member } from '../src/kvstore/member.ts';
import type { MemberState } from '../src/kvstore/member-state.ts';
import { createLog } from '../src/log.ts';

const real = testWith(root, program('etcd'));
const dayMs = 86_400_000;

/** Hours pass when the test says so; a turn that somebody waits for comes at once. */
class DayClock implements Clock {
  nowMs = Date.UTC(2026, 10, 21, 12);
  #wake = Promise.withResolvers<void>();

  now(): number {
    return this.nowMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 5_000) {
      await systemClock.sleep(20, signal);
      return;
    }
    const { promise, reject } = Promise.withResolvers<never>();
    if (signal?.aborted === true) throw signal.reason;
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    await Promise.race([this.#wake.promise, promise]);
  }

  set(nowMs: number): void {
    this.nowMs = nowMs;
    const { resolve } = this.#wake;
    this.#wake = Promise.withResolvers<void>();
    resolve();
  }
}

type Planned = { readonly next: string; readonly last?: Readonly<Record<string, unknown>> };

/** One node's schedule over one member of a cluster. Ends with the test. */
class Node {
  readonly kvstore: Kvstore;
  readonly schedule: Defragmentations;
  readonly #published = new Latest<Planned | undefined>();

  constructor(
    kvstore: Kvstore,
    state: MemberState,
    directory: DataDirectory,
    clock: Clock,
    readPressure: () => Promise<number | undefined>,
  ) {
    const states = new Latest<MemberState>();
    states.set(state);
    this.kvstore = kvstore;
    const member = {
      state,
      kvstore,
      follow: (signal?: AbortSignal) => states.changes(signal),
      directory: () => Promise.resolve(directory),
      whileBusy: (work: () => Promise<unknown>) => work(),
    } as unknown as Member;
    const publish = (spec: Json | undefined): void => this.#published.set(spec as Planned | undefined);
    this.schedule = new Defragmentations({ log: createLog('silent'), clock, member, readPressure, publish });
  }

  async planned(wanted: (planned: Planned) => boolean): Promise<Planned> {
    for await (const planned of this.#published.changes(AbortSignal.timeout(60_000)))
      if (planned !== undefined && wanted(planned)) return planned;
    throw new Error('not as wanted in a minute');
  }
}

async function nodesOf(
  t: ExecutionContext,
  cluster: EtcdCluster,
  clock: Clock,
  readPressure: () => Promise<number | undefined> = () => Promise.resolve(0),
): Promise<Node[]> {
  const ending = new AbortController();
  const nodes: Node[] = [];
  const runs: Promise<void>[] = [];
  t.teardown(async () => {
    ending.abort();
    await Promise.all(runs);
    for (const { kvstore } of nodes) kvstore.close();
  });
  for (const { clientUrl } of cluster.members) {
    const kvstore = await connect({ endpoints: [clientUrl] });
    const known = await status(kvstore, clientUrl);
    const directory = await DataDirectory.open(await temporaryDirectory(t));
    const state: MemberState = { phase: 'running', restarts: 0, status: known };
    nodes.push(new Node(kvstore, state, directory, clock, readPressure));
  }
  for (const { schedule } of nodes) {
    schedule.configure({ defragmentation: { intervalMs: dayMs } } as Parameters<
      typeof schedule.configure
    >[0]);
    runs.push(schedule.run(ending.signal));
  }
  return nodes;
}

/** Leaves most of the members' files free. */
async function makeRoom(cluster: EtcdCluster): Promise<void> {
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const value = Buffer.alloc(512 << 10, 'v');
  for (let index = 0; index < 60; index += 1) await put(kvstore, `key-${index}`, value);
  await deletePrefix(kvstore, 'key-');
  const { revision } = await getPrefix(kvstore, 'key-'); // as a majority has it: a member may be behind
  const last = cluster.endpoints.length - 1;
  for (const [index, endpoint] of cluster.endpoints.entries())
    await compact(kvstore, revision - BigInt(last - index), { endpoint, physical: true });
  // What was freed counts from the next write on that comes to the file.
  for (;;) {
    await put(kvstore, 'counted', '');
    if ((await previewDefragmentation(kvstore)).steps.length === cluster.members.length) return;
  }
}

real('a member is defragmented when it is due and pays, and its disk has a moment', async (t) => {
  t.timeout(90_000);
  const cluster = await etcd(t);
  const clock = new DayClock();
  const pressures = [0.9, 0];
  const asked: number[] = [];
  const [node] = await nodesOf(t, cluster, clock, () => {
    asked.push(clock.nowMs);
    return Promise.resolve(pressures.shift() ?? 0);
  });
  if (node === undefined) throw new Error('there is one');
  const { clusterId, dbSizeBytes } = await status(node.kvstore, node.kvstore.endpoints[0] ?? '');
  const dueMs = nextRunMs(clusterId, dayMs, clock.nowMs);
  const first = await node.planned(() => true);
  t.is(Date.parse(first.next), dueMs);
  t.is(first.last, undefined);

  clock.set(dueMs);
  const skipped = await node.planned(({ last }) => last !== undefined);
  t.like(skipped.last, { result: 'skipped', started: new Date(dueMs).toISOString() });
  t.regex(String(skipped.last?.['message']), /free/);
  t.is(Date.parse(skipped.next), dueMs + dayMs);
  t.deepEqual(asked, [], 'what does not pay waits for no disk');

  await makeRoom(cluster);
  clock.set(dueMs + dayMs - 1);
  clock.set(dueMs + dayMs);
  const done = await node.planned(({ last }) => last?.['result'] === 'done');
  t.is(asked.length, 2, 'it waited for calm');
  t.true(Number(done.last?.['dbSizeBefore']) > 30 << 20);
  t.true(Number(done.last?.['dbSizeAfter']) < Number(dbSizeBytes) + (1 << 20));
  t.true(Number(done.last?.['stallMs']) > 0);

  await cluster.members[0]?.stop();
  clock.set(dueMs + 2 * dayMs);
  const failed = await node.planned(({ last }) => last?.['result'] === 'failed');
  t.is(failed.last?.['errorCode'], 'ERR_KVSTORE_UNREACHABLE');
  t.is(Date.parse(failed.next), dueMs + 3 * dayMs, 'it goes on');
});

real('nodes whose members are due at once take turns, and the leader is the last', async (t) => {
  t.timeout(90_000);
  const cluster = await etcd(t, { members: 3 });
  await makeRoom(cluster);
  const clock = new DayClock();
  const nodes = await nodesOf(t, cluster, clock);
  const statuses = await Promise.all(nodes.map(({ kvstore }) => status(kvstore, kvstore.endpoints[0] ?? '')));
  const [{ clusterId } = { clusterId: 0n }] = statuses;
  await Promise.all(nodes.map((node) => node.planned(() => true)));
  const order: number[] = [];
  clock.set(nextRunMs(clusterId, dayMs, clock.nowMs));
  await Promise.all(
    nodes.map(async (node, index) => {
      const { last } = await node.planned((planned) => planned.last !== undefined);
      t.is(last?.['result'], 'done', String(last?.['message']));
      order.push(index);
    }),
  );
  t.is(order.length, 3);
  t.is(
    order.at(-1),
    statuses.findIndex(({ isLeader }) => isLeader),
  );
});
