import { setImmediate } from 'node:timers/promises';

import { systemClock, type Clock } from '@nodecore/waiting';
import { etcd, program, testWith, type EtcdCluster } from '@nodecore/testkit';

import {
  compact,
  connect,
  defragment,
  defragmentOnSchedule,
  deletePrefix,
  get,
  getPrefix,
  inspect,
  KvstoreError,
  MaintenanceLock,
  nextRunMs,
  previewDefragmentation,
  put,
  writtenBytes,
  freeDiskBytes,
  type DefragmentationProgress,
  type Kvstore,
} from '../src/index.ts';
import { HandClock } from './hand-clock.ts';
import { must } from './must.ts';

const real = testWith(program('etcd'), program('etcdctl'));
const holder = 'test';
/** Waits for disks and members take no time; the turn is renewed as ever. */
const quickClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => (ms > 1_000 ? systemClock.sleep(ms, signal) : setImmediate()),
};

/** Leaves every member with a file that is mostly free, and one key that must survive everything. */
async function fill(kvstore: Kvstore): Promise<void> {
  const value = new Uint8Array(1 << 20).fill(7);
  await put(kvstore, 'kept', 'value');
  for (let index = 0; index < 24; index += 1) await put(kvstore, `filler/${index}`, value);
  await deletePrefix(kvstore, 'filler/');
  const { revision } = await getPrefix(kvstore, 'kept'); // as a majority has it: a member may be behind
  const { members } = await inspect(kvstore);
  for (const [index, { endpoint }] of members.entries()) {
    const back = BigInt(members.length - 1 - index);
    await compact(kvstore, revision - back, { endpoint, physical: true });
  }
  // What was freed counts from the next write on that comes to the file.
  for (;;) {
    await put(kvstore, 'counted', '');
    const { steps } = await previewDefragmentation(kvstore);
    if (steps.length === members.length) return;
  }
}

async function sizes(kvstore: Kvstore): Promise<Map<string, bigint>> {
  const { members } = await inspect(kvstore);
  return new Map(members.map(({ member, status }) => [member.name, must(status).dbSizeBytes]));
}

async function kept(kvstore: Kvstore): Promise<string> {
  return Buffer.from(must(await get(kvstore, 'kept')).value).toString();
}

function processOf(cluster: EtcdCluster, name: string) {
  return must(cluster.members.find((member) => member.name === name));
}

real(
  'members are defragmented one after the other, the leader last, while one operator has the turn',
  async (t) => {
    const cluster = await etcd(t, { members: 3, tls: true });
    await using kvstore = await connect({ endpoints: cluster.endpoints.slice(0, 1), tls: cluster.tls });
    await using second = await connect({ endpoints: cluster.endpoints.slice(2), tls: cluster.tls });
    await fill(kvstore);
    const before = await sizes(kvstore);

    const plan = await previewDefragmentation(kvstore);
    t.deepEqual(plan.obstacles, []);
    t.deepEqual(
      plan.steps.map(({ isLeader }) => isLeader),
      [false, false, true],
    );
    t.deepEqual(await sizes(kvstore), before); // a preview changes nothing

    const progress: DefragmentationProgress[] = [];
    const rivals: Promise<unknown>[] = [];
    const report = await defragment(kvstore, {
      holder: 'operator one',
      onProgress: (event) => {
        progress.push(event);
        if (event.state === 'planned') rivals.push(defragment(second, { holder: 'operator two' }));
      },
      readWrittenBytes: ({ name }) => writtenBytes(processOf(cluster, name).dataDirectory),
      readFreeDiskBytes: ({ name }) => freeDiskBytes(processOf(cluster, name).dataDirectory),
      readPressure: () => Promise.resolve(0),
    });
    await t.throwsAsync(must(rivals[0]), { code: 'ERR_KVSTORE_LOCKED', message: /operator one/ });
    t.is(report.stopped, undefined);
    t.deepEqual(
      report.results.map(({ member }) => member.id),
      plan.steps.map(({ member }) => member.id),
    );
    for (const { beforeBytes, afterBytes, stall } of report.results) {
      t.true(afterBytes < beforeBytes / 2n);
      t.true(stall.tookMs > 0);
    }
    const states = progress.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);
    const step = ['running', 'settling', 'done'];
    t.deepEqual(states, ['planned', ...step, ...step, ...step]);
    t.is(await kept(kvstore), 'value');

    const again = await defragment(second, { holder: 'operator two' }); // the turn was given back
    t.deepEqual(again.results, []);
    t.deepEqual(
      again.plan.skipped.map(({ reason }) => reason),
      ['not-worthwhile', 'not-worthwhile', 'not-worthwhile'],
    );
  },
);

real('an abort takes effect between members, and a busy disk is waited for', async (t) => {
  const cluster = await etcd(t, { members: 3 });
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  await fill(kvstore);
  const before = await sizes(kvstore);

  const busy = await defragment(kvstore, {
    holder,
    clock: quickClock,
    patienceMs: 3_000,
    readPressure: () => Promise.resolve(0.9),
  });
  t.is(busy.stopped?.error.code, 'ERR_KVSTORE_REFUSED');
  t.regex(must(busy.stopped).error.message, /90 % of the time/);
  t.deepEqual(await sizes(kvstore), before);

  const ending = new AbortController();
  const pressures = [0.9, 0.5, 0.1];
  const states: string[] = [];
  const aborted = defragment(kvstore, {
    holder,
    signal: ending.signal,
    clock: quickClock,
    readPressure: () => Promise.resolve(pressures.shift()),
    onProgress: ({ state }) => {
      states.push(state);
      if (state === 'running') ending.abort(new Error('enough'));
    },
  });
  await t.throwsAsync(aborted, { message: 'enough' });
  t.deepEqual(
    states.filter((state) => state !== 'running'),
    ['planned', 'waiting', 'waiting', 'settling', 'done'],
  );
  const after = await sizes(kvstore);
  t.is([...after].filter(([name, size]) => size < must(before.get(name))).length, 1);

  const rest = await defragment(kvstore, { holder });
  t.is(rest.results.length, 2);
  t.is(await kept(kvstore), 'value');
});

real('a member that is lost in its defragmentation stops the run; the others keep their files', async (t) => {
  const cluster = await etcd(t, { members: 3, tls: true });
  await using kvstore = await connect({ endpoints: cluster.endpoints, tls: cluster.tls });
  await fill(kvstore);
  const before = await sizes(kvstore);
  let lost = '';
  const deaths: Promise<void>[] = [];
  const report = await defragment(kvstore, {
    holder,
    onProgress: (event) => {
      if (event.state !== 'running' || lost !== '') return;
      lost = event.member.name;
      const victim = processOf(cluster, lost);
      victim.pause(); // before it can answer
      deaths.push(victim.kill());
    },
  });
  await Promise.all(deaths);
  t.is(report.stopped?.member?.name, lost);
  t.is(report.stopped?.error.code, 'ERR_KVSTORE_UNREACHABLE');
  t.deepEqual(report.results, []);

  await t.throwsAsync(defragment(kvstore, { holder }), {
    instanceOf: KvstoreError,
    code: 'ERR_KVSTORE_REFUSED',
    message: /only 2 of 3 voting members are well/,
  });
  const revision = await put(kvstore, 'kept', 'written meanwhile');
  await cluster.start();
  const whole = await defragment(kvstore, { holder });
  t.is(whole.stopped, undefined);
  t.true(whole.results.length >= 2);
  for (const [name, size] of await sizes(kvstore)) t.true(size < must(before.get(name)), name);
  for (const endpoint of cluster.endpoints) {
    await using one = await connect({ endpoints: [endpoint], tls: cluster.tls });
    t.is(must(await get(one, 'kept')).modRevision, revision);
  }
});

real('a member that is down at its turn is told, and not taken for done', async (t) => {
  const cluster = await etcd(t, { members: 3, tls: true });
  await using kvstore = await connect({ endpoints: cluster.endpoints, tls: cluster.tls });
  await fill(kvstore);
  // The leader stays, so that the others can be asked.
  const { steps } = await previewDefragmentation(kvstore);
  const followers = steps.filter(({ isLeader }) => !isLeader).map(({ member }) => member);
  const deaths: Promise<void>[] = [];
  const report = await defragment(kvstore, {
    holder,
    memberIds: followers.map(({ id }) => id),
    onProgress: ({ state }) => {
      if (state !== 'done') return;
      const victim = processOf(cluster, must(followers[1]).name);
      victim.pause(); // before it can answer
      deaths.push(victim.kill());
    },
  });
  await Promise.all(deaths);
  t.is(report.results.length, 1);
  t.is(report.stopped?.member?.name, must(followers[1]).name);
  t.is(report.stopped?.error.code, 'ERR_KVSTORE_REFUSED');
});

real('who loses the turn begins with no other member', async (t) => {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const clock = new HandClock(0);
  const lock = await MaintenanceLock.acquire(kvstore, { holder: 'a', purpose: 'a test', clock });
  await t.throwsAsync(MaintenanceLock.acquire(kvstore, { holder: 'b', purpose: 'another' }), {
    code: 'ERR_KVSTORE_LOCKED',
    message: /a \(a test, since 1970/,
  });
  await clock.asleep();
  clock.pass(15_000); // renewed
  await clock.asleep();
  t.false(lock.lost.aborted);
  const [, lease] = /\n([0-9a-f]+)/.exec(await cluster.etcdctl('lease', 'list')) ?? [];
  await cluster.etcdctl('lease', 'revoke', must(lease));
  const { promise, resolve } = Promise.withResolvers<void>();
  lock.lost.addEventListener('abort', () => resolve());
  clock.pass(15_000);
  await promise;
  t.is((lock.lost.reason as KvstoreError).code, 'ERR_KVSTORE_LOCKED');
  await using next = await MaintenanceLock.acquire(kvstore, { holder: 'b', purpose: 'another' });
  await lock[Symbol.asyncDispose]();
  t.false(next.lost.aborted);
});

real('a schedule runs at its cluster’s own times, whatever is done to the clock', async (t) => {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const hour = 3_600_000;
  const day = 24 * hour;
  const clusterId = BigInt(5 * hour) + BigInt(day) * 1_000n;
  t.is(nextRunMs(clusterId, day, 0), 5 * hour);
  t.is(nextRunMs(clusterId, day, 5 * hour), day + 5 * hour);

  const clock = new HandClock(0);
  const ending = new AbortController();
  const options = { holder, clusterId, intervalMs: day, clock, signal: ending.signal };
  const runs = defragmentOnSchedule(kvstore, options);
  const due = async (move: () => void): Promise<number> => {
    const run = runs.next();
    await clock.asleep();
    move();
    clock.pass(60_000);
    const { value } = await run;
    t.false(value.outcome instanceof KvstoreError);
    return value.atMs;
  };
  t.is(await due(() => clock.set(5 * hour)), 5 * hour + 60_000);
  // Three days at once are one run.
  t.is(await due(() => clock.set(4 * day)), 4 * day + 60_000);
  // Set back by years: the next due time of that day, not the one that is years away.
  const run = runs.next();
  await clock.asleep();
  clock.set(-1_000 * day);
  clock.pass(60_000);
  await clock.asleep();
  clock.set(-1_000 * day + 5 * hour);
  clock.pass(60_000);
  t.is((await run).value.atMs, -1_000 * day + 5 * hour + 60_000);
  const last = runs.next();
  await clock.asleep();
  ending.abort(new Error('shut down'));
  await t.throwsAsync(last, { message: 'shut down' });
});
