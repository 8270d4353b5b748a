import { etcd, program, testWith, type EtcdCluster } from '@nodecore/testkit';

import {
  addLearner,
  compareHashes,
  connect,
  forfeitLeadership,
  get,
  hashFile,
  health,
  inspect,
  isHealthy,
  isKvstoreError,
  KvstoreError,
  type Kvstore,
  leave,
  members,
  promoteLearner,
  put,
  quorumOf,
  removeMember,
  status,
  updateMember,
} from '../src/index.ts';
import { must } from './must.ts';

const real = testWith(program('etcd'));

/** etcd waits until members have seen each other for five seconds before it lets them change; tests need not. */
const lenient = ['--strict-reconfig-check=false'];

function connected(cluster: EtcdCluster, endpoints = cluster.endpoints): Promise<Kvstore> {
  return connect({ endpoints, tls: cluster.tls });
}

/** The member process that a view is of. */
function processOf(cluster: EtcdCluster, name: string) {
  const found = cluster.members.find((member) => member.name === name);
  if (found === undefined) throw new Error(`no member ${name}`);
  return found;
}

real('one endpoint of three is enough to see, check and lead the whole cluster', async (t) => {
  const cluster = await etcd(t, { members: 3, tls: true });
  await using kvstore = await connected(cluster, cluster.endpoints.slice(1, 2));
  await put(kvstore, 'a', '1');

  const view = await inspect(kvstore);
  t.deepEqual(view.members.map(({ member }) => member.name).sort(), ['m1', 'm2', 'm3']);
  t.deepEqual(view.members.map(({ endpoint }) => endpoint ?? '').toSorted(), cluster.endpoints.toSorted());
  t.true(view.members.every(isHealthy));
  t.deepEqual(quorumOf(view), { voters: 3, needed: 2, healthy: 3, spare: 1 });

  const leader = must(view.members.find(({ status }) => status?.isLeader === true));
  t.is(view.leaderId, leader.member.id);
  const follower = must(view.members.find(({ status }) => status?.isLeader === false));
  t.is(await forfeitLeadership(kvstore, follower.member.id), undefined);
  const successor = await forfeitLeadership(kvstore, leader.member.id);
  t.truthy(successor);
  t.is((await inspect(kvstore)).leaderId, successor?.id);

  for (const endpoint of cluster.endpoints) {
    const { isHealthy, problems } = await health(kvstore, endpoint);
    t.true(isHealthy);
    t.deepEqual(problems, []);
    t.true((await hashFile(kvstore, endpoint)) > 0);
  }
  const { verdict, hashes, missing } = await compareHashes(kvstore);
  t.is(verdict, 'equal');
  t.is(hashes.length, 3);
  t.deepEqual(missing, []);
});

real('a member that is well is not removed without force, a dead one is', async (t) => {
  const cluster = await etcd(t, { members: 3, arguments: lenient });
  await using kvstore = await connected(cluster);
  const [victim] = (await inspect(kvstore)).members.filter(({ status }) => status?.isLeader === false);
  const { id, name } = must(victim).member;
  await t.throwsAsync(removeMember(kvstore, id), { code: 'ERR_KVSTORE_REFUSED', message: /have it leave/ });
  await t.throwsAsync(removeMember(kvstore, 1n), { code: 'ERR_KVSTORE_NOT_FOUND' });
  t.is((await members(kvstore)).length, 3);

  await processOf(cluster, name).kill();
  const other = must((await inspect(kvstore)).members.find(({ member }) => member.id !== id));
  // Two of three are left: without one of these there would be no majority.
  await t.throwsAsync(removeMember(kvstore, other.member.id, { force: true }), {
    code: 'ERR_KVSTORE_QUORUM',
    message: /repair or replace/,
  });
  await removeMember(kvstore, id);
  t.false((await members(kvstore)).some((member) => member.id === id));
});

real('a leader that leaves hands over first, and the last member stays', async (t) => {
  const cluster = await etcd(t, { members: 3, arguments: lenient });
  await using kvstore = await connected(cluster);
  for (const left of [2, 1]) {
    const view = await inspect(kvstore);
    const leader = must(view.members.find(({ member }) => member.id === view.leaderId));
    await leave(kvstore, leader.member.id);
    await processOf(cluster, leader.member.name).kill();
    t.is((await members(kvstore)).length, left);
    await leave(kvstore, leader.member.id); // gone already
  }
  const [last] = await members(kvstore);
  await t.throwsAsync(leave(kvstore, must(last).id), { code: 'ERR_KVSTORE_REFUSED', message: /last one/ });
  await t.throwsAsync(forfeitLeadership(kvstore, must(last).id), { code: 'ERR_KVSTORE_REFUSED' });
});

real('a member that is added learns, has no vote, and gets one when it is in step', async (t) => {
  const cluster = await etcd(t, { tls: true, arguments: lenient });
  await using kvstore = await connected(cluster);
  await put(kvstore, 'before', 'the member came');
  const joining = await cluster.prepareMember('m2');
  const learner = await addLearner(kvstore, [joining.peerUrl]);
  t.true(learner.isLearner);
  t.is(learner.name, '');
  await t.throwsAsync(addLearner(kvstore, [joining.peerUrl]), { code: 'ERR_KVSTORE_EXISTS' });
  await t.throwsAsync(promoteLearner(kvstore, learner.id), { code: 'ERR_KVSTORE_LEARNER' });
  t.deepEqual(quorumOf(await inspect(kvstore)), { voters: 1, needed: 1, healthy: 1, spare: 0 });

  await joining.start(cluster.initialCluster, 'existing');
  await t.throwsAsync(
    health(kvstore, joining.clientUrl).then(({ error }) => Promise.reject(error)),
    {
      code: 'ERR_KVSTORE_LEARNER',
    },
  );
  t.true((await status(kvstore, joining.clientUrl)).isLearner);
  t.is((await members(kvstore, { endpoint: cluster.endpoints[0] })).length, 2);
  for (;;) {
    try {
      await promoteLearner(kvstore, learner.id);
      break;
    } catch (error) {
      if (!isKvstoreError(error, 'ERR_KVSTORE_LEARNER')) throw error;
    }
  }
  const view = await inspect(kvstore);
  t.true(view.members.every(({ member }) => !member.isLearner));
  const entry = await get(kvstore, 'before');
  t.is(Buffer.from(entry?.value ?? []).toString(), 'the member came');
  await updateMember(kvstore, learner.id, ['https://127.0.0.1:1']);
  const moved = (await members(kvstore)).find(({ id }) => id === learner.id);
  t.deepEqual(moved?.peerUrls, ['https://127.0.0.1:1']);
});

real('a cluster without a majority says so, shows who is down, and refuses to lose more', async (t) => {
  const cluster = await etcd(t, { members: 3 });
  await using kvstore = await connected(cluster);
  await put(kvstore, 'a', '1');
  const { members: views } = await inspect(kvstore);
  // Where a write goes: one that went to a member that is killed would be lost with its connection.
  const survivor = must(views.find(({ endpoint }) => endpoint === kvstore.preferred));
  const others = views.filter((view) => view !== survivor);
  for (const { member } of others) await processOf(cluster, member.name).kill();
  // Until the survivor has noticed, it waits for the others; then it has no leader.
  const refused = await t.throwsAsync(put(kvstore, 'a', '2', { timeoutMs: 1_500 }), {
    instanceOf: KvstoreError,
  });
  t.true(isKvstoreError(refused, 'ERR_KVSTORE_NO_LEADER', 'ERR_KVSTORE_TIMEOUT'), String(refused));
  const entry = await get(kvstore, 'a', { serializable: true });
  t.is(Buffer.from(entry?.value ?? []).toString(), '1');
  const view = await inspect(kvstore);
  t.deepEqual(
    view.members
      .filter(({ error }) => error !== undefined)
      .map(({ member }) => member.name)
      .toSorted(),
    others.map(({ member }) => member.name).toSorted(),
  );
  t.true(quorumOf(view).spare < 0);
  await t.throwsAsync(removeMember(kvstore, survivor.member.id, { force: true }), {
    code: 'ERR_KVSTORE_QUORUM',
  });
});

real(
  'the other members of a cluster are known after a look at it, and asked when the first is down',
  async (t) => {
    const cluster = await etcd(t, { members: 3, tls: true });
    const first = must(cluster.members[0]);
    await using kvstore = await connected(cluster, [first.clientUrl]);
    const { leaderId, members: views } = await inspect(kvstore);
    const own = must(views.find(({ endpoint }) => endpoint === first.clientUrl));
    if (own.member.id === leaderId) await forfeitLeadership(kvstore, own.member.id);
    const revision = await put(kvstore, 'a', '1');
    await first.kill();
    t.is((await get(kvstore, 'a'))?.modRevision, revision);
    t.is(await put(kvstore, 'a', '2'), revision + 1n);
    t.deepEqual(kvstore.endpoints, [first.clientUrl]);
  },
);

real('reads go on when the member that answered last hangs, and writes are said once', async (t) => {
  const cluster = await etcd(t, { members: 3 });
  await using kvstore = await connected(cluster);
  const patience = { timeoutMs: 30_000 }; // a busy computer elects slowly
  const revision = await put(kvstore, 'a', '1', patience);
  must(cluster.members[0]).pause();
  const entry = await get(kvstore, 'a', { timeoutMs: 15_000 });
  t.is(entry?.modRevision, revision);
  t.is(await put(kvstore, 'a', '2', patience), revision + 1n);
  await t.throwsAsync(status(kvstore, must(cluster.endpoints[0]), { timeoutMs: 200 }), {
    code: 'ERR_KVSTORE_TIMEOUT',
  });
  const ending = new AbortController();
  const asked = status(kvstore, must(cluster.endpoints[0]), { signal: ending.signal });
  ending.abort(new Error('enough'));
  await t.throwsAsync(asked, { message: 'enough' });
});
