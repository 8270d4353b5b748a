import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { leakedDescriptors, openDescriptors, root, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { act, type CgroupChanges, CgroupReader, HeldCgroup, isSame, observe, watch } from '../src/index.ts';
import { classifier } from '@nodecore/pressure-policy';
import { controlGroup } from './control-group.ts';

const test = testWith(root);

/** A process that counts in its standard output, in a cgroup; ended with the test. */
async function counter(t: ExecutionContext, directory: string): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', 'read line; while :; do echo; done'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await writeFile(join(directory, 'cgroup.procs'), String(child.pid));
  child.stdin?.end('go\n');
  return child;
}

function frozen(directory: string): boolean {
  return readFileSync(join(directory, 'cgroup.events'), 'utf8').includes('frozen 1');
}

/** A cgroup whose events say what a test wants; the rest of it is real. */
function answering(held: HeldCgroup, event: boolean): HeldCgroup {
  return new Proxy(held, {
    get: (target, name) => {
      if (name === 'event') return async () => event;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Processor time of a process in clock ticks (proc_pid_stat(5)). */
function ticks(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

test('a frozen cgroup stands still with all below it, its neighbour goes on, and thawed it goes on, too', async (t) => {
  const above = await controlGroup(t);
  const [victim, below, neighbour] = ['victim', 'victim/below', 'neighbour'].map((name) => join(above, name));
  for (const path of [victim, below, neighbour]) await mkdir(path ?? '');
  const inside = await counter(t, below ?? '');
  inside.stdout?.resume();
  const outside = await counter(t, neighbour ?? '');
  outside.stdout?.resume();
  await using held = await HeldCgroup.open(victim ?? '');
  await act.freeze(held);
  t.true(frozen(victim ?? ''));
  const stood = ticks(inside.pid);
  const went = ticks(outside.pid);
  while (ticks(outside.pid) < went + 10) await once(outside.stdout ?? outside, 'data');
  t.is(ticks(inside.pid), stood);
  t.false(frozen(neighbour ?? ''));
  t.true(await act.thaw(held));
  t.false(await act.thaw(held), 'it was not frozen any more');
  while (ticks(inside.pid) <= stood) await once(inside.stdout ?? inside, 'data');
  t.false(frozen(victim ?? ''));
});

for (const by of ['file', 'signals'] as const)
  test(`exactly the processes of a cgroup and below are killed (by ${by})`, async (t) => {
    const above = await controlGroup(t);
    const victim = join(above, 'victim');
    const below = join(victim, 'below');
    const neighbour = join(above, 'neighbour');
    for (const path of [victim, below, neighbour]) await mkdir(path);
    const inside = [await counter(t, victim), await counter(t, below), await counter(t, below)];
    const outside = await counter(t, neighbour);
    const ends = Promise.all(inside.map((child) => once(child, 'exit')));
    await using held = await HeldCgroup.open(victim);
    const { count, members } = await act.membersOf(held, 2);
    t.is(count, 3);
    t.deepEqual(
      members.map(({ name }) => name),
      ['sh', 'sh'],
    );
    t.is(await act.kill(held, { by }), by);
    for (const [, signal] of await ends) t.is(signal, 'SIGKILL');
    t.is(outside.exitCode ?? outside.signalCode, null);
    t.true((await readFile(join(victim, 'cgroup.events'), 'utf8')).includes('populated 0'));
    t.is(await readFile(join(victim, 'cgroup.freeze'), 'utf8'), '0\n');
  });

test('what is held is that very cgroup: another one by its name is left alone', async (t) => {
  const above = await controlGroup(t);
  const path = join(above, 'victim');
  await mkdir(path);
  await using held = await HeldCgroup.open(path);
  using reader = await CgroupReader.open(above);
  const rules = { candidates: classifier([{ match: '/*', class: 'Besteffort' }]), wholes: () => undefined };
  const [seen] = (await observe(reader, rules)).cgroups;
  if (seen === undefined) throw new TypeError('it is not observed');
  t.true(await isSame(reader, seen));
  await rmdir(path);
  await mkdir(path);
  const innocent = await counter(t, path);
  t.false(await isSame(reader, seen));
  for (const deed of [act.kill, act.freeze, act.thaw])
    await t.throwsAsync(deed(held), { code: 'ERR_CGROUP_NOT_FOUND' });
  await t.throwsAsync(HeldCgroup.open(path, { inode: held.inode }), { code: 'ERR_CGROUP_NOT_FOUND' });
  t.is(innocent.exitCode ?? innocent.signalCode, null);
  t.false(frozen(path));
});

test('what can not be done in time is undone, and told', async (t) => {
  const path = await controlGroup(t);
  await using held = await HeldCgroup.open(path);
  await counter(t, path);
  // Nobody sleeps: there is no time at all.
  const clock = { now: () => 0, sleep: async () => {} };
  const never = { clock, withinMs: -1 };
  const stuck = answering(held, false);
  await t.throwsAsync(act.freeze(stuck, never), { code: 'ERR_CGROUP_UNVERIFIED' });
  t.is(await readFile(join(path, 'cgroup.freeze'), 'utf8'), '0\n');
});

test('an abort ends the waiting and undoes the freeze', async (t) => {
  const path = await controlGroup(t);
  await using held = await HeldCgroup.open(path);
  await counter(t, path);
  const reason = new Error('enough');
  const clock = { now: () => 0, sleep: async () => Promise.reject(reason) };
  const slow = answering(held, false);
  t.is(await t.throwsAsync(act.freeze(slow, { clock })), reason);
  t.is(await readFile(join(path, 'cgroup.freeze'), 'utf8'), '0\n');
});

test('a control that a cgroup lacks is told, and nothing stays open', async (t) => {
  const path = await controlGroup(t);
  const before = openDescriptors();
  {
    await using held = await HeldCgroup.open(path);
    await t.throwsAsync(held.read('memory.nothing'), { code: 'ERR_CGROUP_NOT_FOUND' });
  }
  await t.throwsAsync(HeldCgroup.open(join(path, 'missing')), { code: 'ERR_CGROUP_NOT_FOUND' });
  t.deepEqual(
    leakedDescriptors(before).filter((line) => line.includes('nodecore-test')),
    [],
  );
});

test('names that are no UTF-8 stay apart, and what has them can be found, watched and frozen', async (t) => {
  const directory = await controlGroup(t);
  const names = ['61ff', '61fe', '5c787b66667d', 'c3a4'].map((hex) => Buffer.from(hex, 'hex'));
  const at = (name: Buffer): Buffer => Buffer.concat([Buffer.from(`${directory}/`), name]);
  for (const name of names) await mkdir(at(name));
  await mkdir(Buffer.concat([at(names[0] ?? Buffer.alloc(0)), Buffer.from('/deep')]));
  t.teardown(async () => {
    await rmdir(Buffer.concat([at(names[0] ?? Buffer.alloc(0)), Buffer.from('/deep')]));
    for (const name of names.slice(0, 2)) await rmdir(at(name));
  });
  using reader = await CgroupReader.open(directory);
  const tree = await reader.read();
  t.deepEqual(tree.nodes.map(({ path }) => path).toSorted(), [
    '/',
    '/\\x{5c}x{ff}', // a name that is written as an escape is
    '/a\\x{fe}',
    '/a\\x{ff}',
    '/a\\x{ff}/deep',
    '/ä',
  ]);
  t.is(tree.find('/a\\x{ff}')?.children.length, 1);
  for (const { path } of tree.nodes) {
    await using held = await HeldCgroup.open(`${directory}${path}`);
    t.is(await held.event('populated'), false, path);
    using below = await CgroupReader.open(`${directory}${path}`);
    const { nodes } = await below.read({ files: [] });
    t.is(nodes.length, path === '/' ? 6 : path === '/a\\x{ff}' ? 2 : 1, path);
  }
  await using top = await HeldCgroup.open(directory);
  await using odd = await HeldCgroup.open(`${directory}/a\\x{ff}`);
  const child = await counter(t, odd.directory);
  t.is((await act.membersOf(top, 5)).members[0]?.pid, child.pid);
  const changes = watch(directory)[Symbol.asyncIterator]();
  await changes.next();
  await mkdir(`${odd.directory}/late`);
  const { value } = await changes.next();
  t.deepEqual(
    (value as CgroupChanges).appeared.map(({ path }) => path),
    ['/a\\x{ff}/late'],
  );
  await changes.return?.();
  await rmdir(`${odd.directory}/late`);
});
