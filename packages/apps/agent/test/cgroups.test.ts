import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { every } from '../src/cgroups/every.ts';
import { asleep, cgroupsNode, furnish, never, nextSample, reading, watching } from './cgroups-node.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const uid = '0f4c2f9e-1111-2222-3333-444455556666';
const id = 'a'.repeat(64);

test('a sample has the files that were asked for, whole, and nothing else', async (t) => {
  const long = Array.from({ length: 2000 }, (_, index) => `key_${index} ${index}\n`).join('');
  const { cgroups, directory } = await cgroupsNode(t, {
    'cpu.stat': 'usage_usec 7\n',
    'a.slice/cpu.stat': 'usage_usec 3\n',
    'a.slice/memory.stat': long,
    'a.slice/memory.current': '1\n',
    'a.slice/b/': '',
  });
  const stream = cgroups.read(reading({ files: ['cpu.stat', 'memory.stat'] }), never);
  const { start, byPath, sample } = await nextSample(stream);
  t.deepEqual(start, { directory, files: ['cpu.stat', 'memory.stat'], elsewhere: ['cpuset'] });
  t.deepEqual(
    byPath.get('/')?.files?.map(({ file, text }) => [file, text]),
    [[0, 'usage_usec 7\n']],
  );
  t.deepEqual(
    byPath.get('/a.slice')?.files?.map(({ file, text }) => [file, text]),
    [
      [0, 'usage_usec 3\n'],
      [1, long],
    ],
  );
  t.deepEqual(byPath.get('/a.slice/b')?.files, [], 'absent files are not mentioned');
  t.is(byPath.get('/a.slice')?.elapsedNanos, 0n);
  t.is(byPath.get('/a.slice')?.name, undefined, 'nobody asked for names');
  t.deepEqual(sample, { cgroups: 3, gone: [], devices: [] });
  t.true((await stream.next()).done);
});

test('a sample can begin at any cgroup, and paths are still those of the hierarchy', async (t) => {
  const { cgroups } = await cgroupsNode(t, { 'a/b/pids.current': '2\n', 'c/pids.current': '1\n' });
  const { byPath } = await nextSample(
    cgroups.read(reading({ files: ['pids.current'], cgroup: '/a' }), never),
  );
  t.deepEqual([...byPath.keys()], ['/a', '/a/b']);
  await t.throwsAsync(nextSample(cgroups.read(reading({ cgroup: '/x' }), never)), {
    code: 'ERR_CGROUP_NOT_FOUND',
  });
});

test('a watch tells what has changed, and rates over the time that passed for that cgroup', async (t) => {
  const { cgroups, clock, write } = await cgroupsNode(t, {
    'a/cpu.stat': 'usage_usec 1000\nuser_usec 600\nnr_periods 5\n',
    'a/memory.current': '4096\n',
    'idle/cpu.stat': 'usage_usec 9\n',
    'idle/memory.current': '1\n',
  });
  const stream = cgroups.watch(watching({ files: ['cpu.stat', 'memory.current'] }, 5000), never);
  const first = await nextSample(stream);
  t.is(first.start?.intervalMillis, 5000);
  t.is(first.byPath.size, 3);
  await write({ 'a/cpu.stat': 'usage_usec 3000\nuser_usec 600\nnr_periods 1\n' });
  const second = nextSample(stream);
  await asleep(clock);
  clock.advance(1000); // rates come after a second, whatever the interval is
  const { start, byPath, sample } = await second;
  t.is(start, undefined);
  t.deepEqual([...byPath.keys()], ['/a']);
  const { elapsedNanos = 0n, files = [] } = byPath.get('/a') ?? {};
  t.true(elapsedNanos > 0n);
  t.is(files.length, 1, 'memory.current is as it was');
  t.deepEqual(files[0]?.rates, [
    { counter: 'usage_usec', perSecond: (2000 * 1e9) / Number(elapsedNanos) },
    { counter: 'nr_periods', reset: true },
  ]);
  t.deepEqual(sample, { cgroups: 3, gone: [], devices: [] });
  await stream.return();
});

test('cgroups that come and go and files that are no more are told', async (t) => {
  const { cgroups, clock, directory, write } = await cgroupsNode(t, {
    'a/memory.max': 'max\n',
    'a/cpu.weight': '100\n',
    'b/memory.max': '1\n',
  });
  const stream = cgroups.watch(watching({ files: ['memory.max', 'cpu.weight'] }), never);
  const first = await nextSample(stream);
  await rm(join(directory, 'b'), { recursive: true });
  await rm(join(directory, 'a', 'cpu.weight'));
  await write({ 'c/memory.max': '2\n' });
  const second = nextSample(stream);
  await asleep(clock);
  clock.advance(1000);
  const { byPath, sample } = await second;
  t.deepEqual(sample.gone, [first.byPath.get('/b')?.id ?? -1]);
  t.deepEqual(byPath.get('/a')?.files, [{ file: 1, absent: true }]);
  t.is(byPath.get('/c')?.elapsedNanos, 0n, 'a new one has no rates');
  await stream.return();
});

test('a hundred cgroups of large files come in several messages', async (t) => {
  const contents = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`c${index}/memory.stat`, 'anon 1\n'.repeat(400)]),
  );
  const { cgroups } = await cgroupsNode(t, contents);
  const sizes: number[] = [];
  for await (const { cgroups: piece } of cgroups.read(reading({ files: ['memory.stat'] }), never))
    if (piece !== undefined) sizes.push(piece.cgroups?.length ?? 0);
  t.is(
    sizes.reduce((sum, size) => sum + size, 0),
    101,
  );
  t.true(sizes.length > 2, String(sizes));
});

test('units, pods and containers have names, and what kubelet does not know keeps its id', async (t) => {
  const { cgroups, places } = await cgroupsNode(t, {
    'system.slice/ssh\\x2dagent.service/': '',
    [`kubepods.slice/kubepods-pod${uid.replaceAll('-', '_')}.slice/cri-containerd-${id}.scope/`]: '',
    [`kubepods.slice/cri-containerd-${'b'.repeat(64)}.scope/`]: '',
  });
  await furnish(places, {
    pods: [`kube-system_coredns-5d4d_${uid}`, 'not a pod'],
    containers: [`coredns-5d4d_kube-system_coredns-${id}.log`],
  });
  const { byPath } = await nextSample(cgroups.read(reading({ names: true }), never));
  const names = [...byPath.values()].flatMap(({ name }) => (name ? [`${name.kind} ${name.name}`] : []));
  t.deepEqual(names.sort(), [
    `container ${'b'.repeat(12)}`,
    'container coredns',
    'pod kube-system/coredns-5d4d',
    'slice kubepods.slice',
    'slice system.slice',
    'unit ssh-agent.service',
  ]);
});

test('processes have the names of their executables, and devices theirs', async (t) => {
  const { cgroups, clock, places, write } = await cgroupsNode(t, {
    'a/cgroup.procs': '0\n12\n13\n14\n15\n',
    'a/io.stat': '8:0 rbytes=1 wbytes=2\n253:7 rbytes=1 wbytes=2\n',
  });
  await furnish(places, {
    executables: { 12: '/usr/bin/etcd (deleted)', 15: '/memfd:x (deleted)' },
    commands: { 12: 'other', 13: 'kworker/0:1', 15: 'tool' },
    devices: { '8:0': '../../devices/pci0/block/sda' },
  });
  const stream = cgroups.watch(watching({ files: ['io.stat'], processes: true }), never);
  const { byPath, start, sample } = await nextSample(stream);
  t.deepEqual(start?.files, ['io.stat', 'cgroup.procs']);
  t.deepEqual(byPath.get('/a')?.processes, ['etcd', 'kworker/0:1', 'tool'], '14 has ended');
  t.deepEqual(sample.devices, [{ number: '8:0', name: 'sda' }]);
  await write({ 'a/io.stat': '8:0 rbytes=5 wbytes=2\n' });
  const second = nextSample(stream);
  await asleep(clock);
  clock.advance(1000);
  t.deepEqual((await second).sample.devices, [], 'told once');
  await stream.return();
});

test('only names of files and paths of cgroups are taken', async (t) => {
  const { cgroups } = await cgroupsNode(t, { 'a/': '' });
  const code = 'ERR_CGROUPS_REQUEST';
  for (const file of ['../../etc/passwd', '/etc/passwd', 'cpu', '.', '..', '', 'a.b/../c', 'cpu.stat\0'])
    await t.throwsAsync(nextSample(cgroups.read(reading({ files: [file] }), never)), { code }, file);
  for (const cgroup of ['a', '/a/..', '/a/', '//a', '/./a', '/a\0'])
    await t.throwsAsync(nextSample(cgroups.read(reading({ cgroup }), never)), { code }, cgroup);
  for (const interval of [1, 99, 3_600_001])
    await t.throwsAsync(nextSample(cgroups.watch(watching({}, interval), never)), { code });
  const many = Array.from({ length: 129 }, (_, index) => `a.b${index}`);
  await t.throwsAsync(nextSample(cgroups.read(reading({ files: many }), never)), { code });
});

test('sixteen watches run at once, and a place is free when one ends or fails', async (t) => {
  const { cgroups, directory, clock } = await cgroupsNode(t, { 'a/': '' });
  const stop = new AbortController();
  const streams = Array.from({ length: 16 }, () => cgroups.watch(watching({}), stop.signal));
  for (const stream of streams) await nextSample(stream);
  const code = 'ERR_CGROUPS_BUSY';
  await t.throwsAsync(nextSample(cgroups.watch(watching({}), never)), { code });
  await streams[0]?.return();
  const another = cgroups.watch(watching({}), never);
  await nextSample(another);
  const waiting = streams.slice(1).map((stream) => t.throwsAsync(nextSample(stream)));
  while (clock.sleepers < waiting.length) await new Promise(setImmediate);
  stop.abort();
  await Promise.all(waiting);
  await rm(directory, { recursive: true });
  const last = t.throwsAsync(nextSample(another), { code: 'ERR_CGROUP_NOT_FOUND' });
  await asleep(clock);
  clock.advance(1000);
  await last;
});

test('a tick that nobody took is left out, and the next one comes when it is due', async (t) => {
  const clock = new FakeClock();
  const began = clock.now();
  const ticks = every({ intervalMs: 100, firstMs: 30, clock, signal: never });
  const times: number[] = [];
  const take = async (advance: number): Promise<void> => {
    const tick = ticks.next();
    if (advance > 0) {
      await asleep(clock);
      clock.advance(advance);
    }
    await tick;
    times.push(clock.now() - began);
  };
  await take(0);
  await take(30);
  await take(100);
  clock.advance(250); // the consumer is busy
  await take(50);
  clock.setBack(10_000);
  await take(100);
  await ticks.return(undefined as never);
  t.deepEqual(times, [0, 30, 130, 430, 430 - 10_000 + 100]);
});
