import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { PressureNode, settle, until } from './pressure-node.ts';

const mib = 2 ** 20;
const places = 'cgroups: [{match: /batch/*, class: Besteffort}]';

/** A node with three jobs, the second of which has most memory. */
async function busyNode(t: Parameters<typeof PressureNode.start>[0]): Promise<PressureNode> {
  const node = await PressureNode.start(t);
  node.add('/batch/a', 100 * mib);
  node.add('/batch/b', 300 * mib);
  node.add('/batch/c', 200 * mib);
  node.add('/elsewhere', 900 * mib);
  node.add('/system/sshd', 900 * mib);
  return node;
}

test('an alert has exactly the victim killed, and the decision tells what led to it', async (t) => {
  const node = await busyNode(t);
  await node.configure(places);
  t.like(node.policy('oom'), { phase: 'watching', action: 'kill', dryRun: false, alerts: 0 });
  t.deepEqual(node.deeds, []);
  t.is(node.looks, 0, 'nothing is looked at without pressure');
  node.stallUs = 250_000n;
  await node.alert();
  t.deepEqual(node.deeds, ['kill /batch/b']);
  const [decision, ...others] = node.decisions;
  t.is(others.length, 0);
  t.like(decision, {
    id: '000001',
    policy: 'oom',
    action: 'kill',
    outcome: 'done',
    dryRun: false,
    candidateCount: 3,
    expression: 'time_since_trigger > duration("5s")',
  });
  t.like(decision?.['victim'], { path: '/batch/b', class: 'Besteffort', score: 300 * mib, inode: '2' });
  t.deepEqual(decision?.['victim'].processes, [{ pid: 1002, name: 'hog' }]);
  t.is(decision?.['trigger'].reading.some.totalUs, 250_000n);
  t.is(decision?.['readings'].memory.some.totalUs, 250_000n);
  t.deepEqual(
    decision?.['candidates'].map(({ path }: { path: string }) => path),
    ['/batch/b', '/batch/c', '/batch/a'],
  );
  t.deepEqual(decision?.['refused'], [{ path: '/system/sshd', class: 'System', why: 'protected-class' }]);
  t.like(node.policy('oom'), { phase: 'watching', alerts: 1, sampled: false, held: [] });
});

test('the policy does not act again before its time, however often the kernel says so', async (t) => {
  const node = await busyNode(t);
  await node.configure(places);
  for (let alerts = 0; alerts < 4; alerts += 1) {
    await node.alert();
    await node.pass(1000);
  }
  t.deepEqual(node.deeds, ['kill /batch/b']);
  await node.alert();
  await node.pass(1500);
  t.deepEqual(node.deeds, ['kill /batch/b', 'kill /batch/c']);
});

test('a clock that is set changes nothing of what has to pass', async (t) => {
  const node = await busyNode(t);
  await node.configure(`${places}\naction: freeze\nrelease: {after: 4s}`);
  await node.alert();
  t.deepEqual(node.deeds, ['freeze /batch/b']);
  node.clock.setBack(3_600_000);
  await node.pass(3000);
  t.deepEqual(node.deeds, ['freeze /batch/b']);
  await node.pass(1500);
  t.deepEqual(node.deeds, ['freeze /batch/b', 'thaw /batch/b']);
  t.is(node.decisions[0]?.['released'].reason, 'calm');
});

test('an expression is asked as long as the pressure lasts, about rates of the time that passed', async (t) => {
  const node = await busyNode(t);
  await node.configure(
    `${places}\nsampleInterval: 500ms\ntriggerExpression: d_memory_some_total > 100000.0 && time_since_trigger > duration("5s")`,
  );
  await node.alert();
  t.deepEqual(node.deeds, [], 'there is no rate yet');
  node.stallUs += 40_000n; // 80 ms per second
  await node.pass(500);
  t.deepEqual(node.deeds, []);
  await node.alert();
  node.stallUs += 60_000n; // 120 ms per second
  await node.pass(500);
  t.deepEqual(node.deeds, ['kill /batch/b']);
  t.is(node.decisions[0]?.['elapsedMs'], 500);
  t.is(node.policy('oom')['expressionError'], undefined);
});

test('when the kernel says nothing any more, nothing is looked at any more', async (t) => {
  const node = await busyNode(t);
  await node.configure(`${places}\ntriggerExpression: memory_some_avg10 > 50.0`);
  await node.alert();
  await node.pass(5000);
  const { looks } = node;
  t.true(looks > 4 && looks < 12, `${looks} looks`);
  await node.pass(10_000);
  t.is(node.looks, looks);
  t.is(node.policy('oom')['phase'], 'watching');
});

test('an expression that can not be evaluated does nothing, and the policy says why', async (t) => {
  const node = await busyNode(t);
  await node.configure(`${places}\ntriggerExpression: d_io_some_total > 1.0`);
  await node.alert();
  await node.pass(1000);
  t.deepEqual(node.deeds, []);
  t.regex(String(node.policy('oom')['expressionError']), /d_io_some_total/);
});

test('a dry run decides and tells, and touches nobody', async (t) => {
  const node = await busyNode(t);
  await node.configure(`${places}\naction: freeze\ndryRun: true`);
  await node.alert();
  t.deepEqual(node.deeds, []);
  t.like(node.decisions[0], { outcome: 'dryRun', action: 'freeze', dryRun: true });
  t.is(node.decisions[0]?.['victim'].path, '/batch/b');
  t.true(node.lines.some(({ msg }) => msg === 'pressure: would act'));
});

test("the agent's own cgroup is not chosen, whatever its score", async (t) => {
  const node = await busyNode(t);
  node.own = { own: '/batch/b/agent', init: '/batch/c' };
  await node.configure(places);
  await node.alert();
  t.deepEqual(node.deeds, ['kill /batch/a']);
});

test('a victim that is gone, or another by its path, is left alone, and the next one is taken', async (t) => {
  const node = await busyNode(t);
  await node.configure(places);
  node.chosen = (path) => {
    if (path === '/batch/b') node.add('/batch/b', 1 * mib);
    if (path === '/batch/c') node.cgroups.delete('/batch/c');
  };
  await node.alert();
  t.deepEqual(node.deeds, ['kill /batch/a']);
  t.deepEqual(node.decisions[0]?.['refused'].slice(0, 2), [
    { path: '/batch/b', class: 'Besteffort', why: 'vanished' },
    { path: '/batch/c', class: 'Besteffort', why: 'vanished' },
  ]);
});

test('where nobody can be chosen, one decision says so and counts', async (t) => {
  const node = await PressureNode.start(t);
  node.add('/system/sshd', 900 * mib);
  await node.configure(`triggerExpression: 'true'`);
  for (let alerts = 0; alerts < 5; alerts += 1) await node.alert();
  const [decision, ...others] = node.decisions;
  t.is(others.length, 0);
  t.like(decision, { outcome: 'noVictim', count: 5, refusedCount: 1 });
});

test('what is frozen goes on when there was no pressure for as long as the policy wants', async (t) => {
  const node = await busyNode(t);
  await node.configure(`${places}\naction: freeze\nrelease: {after: 3s}`);
  await node.alert();
  t.deepEqual(node.policy('oom')['held'], ['/batch/b']);
  await node.pass(2000);
  await node.alert(); // still pressing
  await node.pass(2900);
  t.deepEqual(node.deeds, ['freeze /batch/b']);
  await node.pass(200);
  t.deepEqual(node.deeds, ['freeze /batch/b', 'thaw /batch/b']);
  t.deepEqual(node.policy('oom')['held'], []);
  t.deepEqual(JSON.parse(await readFile(join(node.directory, 'pressure-holds.json'), 'utf8')), []);
});

test('what is frozen goes on in the end, however much pressure there is, and only one at a time', async (t) => {
  const node = await busyNode(t);
  const expression = `triggerExpression: 'true'`;
  await node.configure(`${places}\n${expression}\naction: freeze\nrelease: {after: 3s, atLatest: 6s}`);
  await node.alert();
  await node.pass(1000);
  await node.alert();
  t.deepEqual(node.deeds, ['freeze /batch/b', 'freeze /batch/c']);
  node.cgroups.delete('/batch/a');
  for (let seconds = 0; seconds < 5; seconds += 1) {
    await node.alert();
    await node.pass(1000);
  }
  t.deepEqual(node.deeds.slice(2, 3), ['thaw /batch/b']);
  t.is(node.decisions[0]?.['released'].reason, 'atLatest');
});

test('two that were frozen go on one after the other, to see what each brings', async (t) => {
  const node = await busyNode(t);
  await node.configure(`${places}\ntriggerExpression: 'true'\naction: freeze\nrelease: {after: 3s}`);
  await node.alert();
  await node.alert();
  t.deepEqual(node.deeds, ['freeze /batch/b', 'freeze /batch/c']);
  await node.pass(3100);
  t.deepEqual(node.deeds.slice(2), ['thaw /batch/b']);
  await node.pass(2500);
  t.is(node.deeds.length, 3);
  await node.pass(1000);
  t.deepEqual(node.deeds.slice(3), ['thaw /batch/c']);
});

test('memory.high gets a share of what the victim has, and back what it was', async (t) => {
  const node = await busyNode(t);
  const victim = node.cgroups.get('/batch/b');
  await node.configure(`${places}\naction: memory.high\nsize: 50%\nrelease: {after: 3s}`);
  await node.alert();
  t.is(victim?.memoryHigh, String(150 * mib));
  t.deepEqual(node.decisions[0]?.['effect'], { former: 'max', memoryHigh: String(150 * mib) });
  await node.pass(3500);
  t.is(victim?.memoryHigh, 'max');
});

test('a limit that somebody else set meanwhile stays', async (t) => {
  const node = await busyNode(t);
  const victim = node.cgroups.get('/batch/b');
  await node.configure(`${places}\naction: memory.high\nrelease: {after: 3s}`);
  await node.alert();
  if (victim !== undefined) victim.memoryHigh = '4096';
  await node.pass(3500);
  t.is(victim?.memoryHigh, '4096');
  t.is(node.decisions[0]?.['released'].reason, 'changed');
});

test('memory.reclaim takes a share of what the victim has', async (t) => {
  const node = await busyNode(t);
  await node.configure(`${places}\naction: memory.reclaim\nsize: 10%`);
  await node.alert();
  t.deepEqual(node.deeds, [`reclaim ${30 * mib} of /batch/b`]);
  t.like(node.decisions[0], { outcome: 'done', size: '10%' });
  t.is(node.decisions[0]?.['effect'].reclaimedBytes, 30 * mib);
});

test('an action that fails is told, undone, and nothing is held', async (t) => {
  const node = await busyNode(t);
  node.failing.add('freeze');
  await node.configure(`${places}\naction: freeze`);
  await node.alert();
  t.like(node.decisions[0], {
    outcome: 'failed',
    errorCode: 'ERR_CGROUP_UNVERIFIED',
    errorMessage: 'freeze',
  });
  t.deepEqual(node.deeds, ['thaw /batch/b']);
  t.deepEqual(node.policy('oom')['held'], []);
});

test('what can not be undone is tried until it can', async (t) => {
  const node = await busyNode(t);
  await node.configure(`${places}\naction: freeze\nrelease: {after: 3s}`);
  await node.alert();
  node.failing.add('thaw');
  await node.pass(6000);
  t.true(node.cgroups.get('/batch/b')?.frozen);
  t.true(node.lines.filter(({ msg }) => msg === 'pressure: can not be undone').length >= 2);
  node.failing.delete('thaw');
  await node.pass(1500);
  t.false(node.cgroups.get('/batch/b')?.frozen);
});

test('an agent that was killed thaws what it froze when it is started again, before anything else', async (t) => {
  const node = await busyNode(t);
  await node.configure(`${places}\naction: freeze`);
  await node.alert();
  await node.policies.configure([]).catch(() => {}); // nothing of the old process may hide what the new one does
  node.deeds.length = 0;
  const again = node.cgroups.get('/batch/b');
  if (again !== undefined) again.frozen = true;
  const hold = {
    decision: '000001',
    policy: 'oom',
    path: '/batch/b',
    inode: '2',
    bootId: 'boot-1',
    release: { afterMs: 1, atLatestMs: 2 },
    kind: 'freeze',
  };
  await settle();
  node.crash();
  await writeFile(join(node.directory, 'pressure-holds.json'), JSON.stringify([hold, { nonsense: true }]));
  node.begin();
  await until(() => node.deeds.length > 0);
  t.deepEqual(node.deeds, ['thaw /batch/b']);
  await node.configure(places);
  t.is(node.decisions[0]?.id, '000001', 'decisions outlive the process');
  await node.alert();
  t.is(node.decisions[1]?.id, '000002');
});

/** A node whose agent is started again after it ended in the middle of a freeze of `/batch/b`. */
async function cutOff(t: ExecutionContext, wasFrozen: boolean) {
  const node = await busyNode(t);
  await node.configure(`${places}\naction: freeze\nrelease: {after: 3s}`);
  await node.alert();
  await settle();
  node.crash();
  const victim = node.cgroups.get('/batch/b');
  if (victim !== undefined) victim.frozen = wasFrozen;
  const written = join(node.directory, 'pressure-decisions.json');
  const [decision] = JSON.parse(await readFile(written, 'utf8'));
  await writeFile(written, JSON.stringify([{ ...decision, outcome: 'acting', effect: undefined }]));
  return node;
}

test('a freeze that the end of the agent cut off was done when it is found frozen, and thawed', async (t) => {
  const node = await cutOff(t, true);
  node.begin();
  await node.configure(places);
  t.like(node.decisions[0], { outcome: 'done', released: { reason: 'restart' }, errorMessage: undefined });
});

test('a freeze that the end of the agent cut off is unknown when nothing is found frozen', async (t) => {
  const node = await cutOff(t, false);
  node.begin();
  await node.configure(places);
  t.like(node.decisions[0], { outcome: 'unknown', released: { reason: 'changed' } });
});

test('a freeze that was cut off and can be undone late only was done, too', async (t) => {
  const node = await cutOff(t, true);
  node.failing.add('thaw');
  node.begin();
  await node.configure(places);
  t.like(node.decisions[0], { outcome: 'unknown', released: undefined });
  node.failing.delete('thaw');
  await node.pass(6_000);
  t.is(node.decisions[0]?.['outcome'], 'done');
});

test('records of another boot, and of cgroups that were made again, are nothing to undo', async (t) => {
  const node = await busyNode(t);
  node.crash();
  const release = { afterMs: 1, atLatestMs: 2 };
  const hold = { decision: '1', policy: 'oom', path: '/batch/b', release, kind: 'freeze' };
  const holds = [
    { ...hold, inode: '2', bootId: 'boot-0' },
    { ...hold, inode: '77', bootId: 'boot-1' },
  ];
  await writeFile(join(node.directory, 'pressure-holds.json'), JSON.stringify(holds));
  node.begin();
  await node.configure(places);
  t.deepEqual(node.deeds, []);
  await writeFile(join(node.directory, 'pressure-holds.json'), 'not JSON');
  node.crash();
  node.begin();
  await node.configure(places);
  t.true(node.lines.some(({ msg }) => msg === 'what is frozen or limited from before can not be read'));
});

test('a policy that changes is begun anew and what it did is undone; the others are left alone', async (t) => {
  const node = await busyNode(t);
  const other = `${places}\nname: io\ntrigger: {resource: io}\naction: freeze`;
  await node.configure(`${places}\naction: freeze`, other);
  t.deepEqual(node.armed, ['memory', 'io']);
  await node.alert();
  t.deepEqual(node.deeds, ['freeze /batch/b', 'freeze /batch/c']);
  await node.configure(`${places}\naction: freeze\ndryRun: true`, other);
  t.deepEqual(node.armed, ['memory', 'io', 'memory']);
  t.deepEqual(node.deeds.slice(2), ['thaw /batch/b']);
  t.deepEqual(node.policy('io')['held'], ['/batch/c']);
  await node.configure();
  t.deepEqual(node.deeds.slice(3), ['thaw /batch/c']);
  t.deepEqual(node.policy('io'), {});
});

test('an agent that ends leaves nobody frozen', async (t) => {
  const node = await busyNode(t);
  await node.configure(`${places}\naction: freeze`);
  await node.alert();
  await node.stop();
  t.deepEqual(node.deeds, ['freeze /batch/b', 'thaw /batch/b']);
  t.is(node.decisions[0]?.['released'].reason, 'shutdown');
});

test('fifty decisions are kept', async (t) => {
  const node = await PressureNode.start(t);
  await node.configure(`${places}\ntriggerExpression: 'true'`);
  for (let count = 1; count <= 53; count += 1) {
    node.add(`/batch/${count}`, mib);
    await node.alert();
  }
  t.is(node.decisions.length, 50);
  t.is(node.decisions[0]?.id, '000004');
  await node.stop();
  const kept = JSON.parse(await readFile(join(node.directory, 'pressure-decisions.json'), 'utf8'));
  t.is(kept.length, 50);
});

test('an alert that was found by looking says so', async (t) => {
  const node = await busyNode(t);
  node.sampled = true;
  await node.configure(places);
  await node.alert();
  t.true(node.policy('oom')['sampled']);
  t.true(node.decisions[0]?.['trigger'].sampled);
});
