import { CgroupError, parsePressure } from '@nodecore/cgroup';
import test from 'ava';

import { asleep, calm, cgroupsNode, furnish } from '../../agent/test/cgroups-node.ts';
import { cgroupsOf } from './cgroups-node.ts';
import { osctl } from './command-line.ts';

const line = (kind: string, avg10: string, total: number): string =>
  `${kind} avg10=${avg10} avg60=1.25 avg300=0.05 total=${total}\n`;
const both = (some: string, full: string, total = 0): string =>
  line('some', some, total) + line('full', full, total);

const system = {
  ...calm,
  cpu: parsePressure(both('17.50', '0.00')),
  irq: parsePressure(line('full', '0.75', 3)),
};

const tree = {
  'a/memory.pressure': both('30.00', '12.50', 50),
  'a/cpu.pressure': both('1.00', '0.00', 9),
  'b/cpu.pressure': both('20.00', '2.00', 7),
  'c/cpu.pressure': both('0.00', '0.00', 1),
};

test('the node comes first, then the cgroups that stall most, and a dash is what is not accounted', async (t) => {
  const { cgroups } = await cgroupsNode(t, tree, { pressure: async () => system });
  const { run } = await cgroupsOf(t, [cgroups]);
  const { code, out, error } = await run(['pressure', '--top', '2']);
  t.is(code, 0, error);
  const rows = out
    .trimEnd()
    .split('\n')
    .map((row) => row.split(/ {2,}/).slice(1));
  t.deepEqual(rows, [
    [
      'CGROUP',
      'NAME',
      'CPU SOME',
      'CPU FULL',
      'MEMORY SOME',
      'MEMORY FULL',
      'IO SOME',
      'IO FULL',
      'IRQ FULL',
    ],
    ['(node)', '17.50', '0.00', '0.00', '0.00', '0.00', '0.00', '0.75'],
    ['/a', '1.00', '0.00', '30.00', '12.50', '-', '-', '-'],
    ['/b', '20.00', '2.00', '-', '-', '-', '-', '-'],
  ]);
  const sorted = await run(['pressure', '--sort', 'cpu', '--top', '1', '--average', '60']);
  t.regex(sorted.out, /\/b +1\.25 +1\.25 +-/);
});

test('paths are short enough to be read, and pods and containers are named', async (t) => {
  const [uid, id] = ['0f4c2f9e-1111-2222-3333-444455556666', 'a'.repeat(64)];
  const path = `kubepods/pod${uid}/cri-containerd-${id}.scope`;
  const { cgroups, places } = await cgroupsNode(t, { [`${path}/cpu.pressure`]: both('5.00', '0.00') });
  await furnish(places, { containers: [`shop_web_server-${id}.log`] });
  const { run } = await cgroupsOf(t, [cgroups]);
  const { out } = await run(['pressure']);
  t.regex(out, /\/kubepods\/pod0f4c2f9e…\/cri-containerd-aaaaaaaaaaaa…\.scope +server +5\.00/);
  t.true(
    (await run(['pressure', '-o', 'jsonpath=.cgroup'])).out.includes(`/${path}\n`),
    'whole for programs',
  );
});

test('programs get all averages and totals', async (t) => {
  const { cgroups } = await cgroupsNode(t, tree, { pressure: async () => system });
  const { run, endpoints } = await cgroupsOf(t, [cgroups]);
  const { out } = await run(['pressure', '--top', '1', '-o', 'json']);
  const [node, worst, ...others] = JSON.parse(out);
  t.deepEqual(others, []);
  t.is(node.node, endpoints[0]);
  t.is(node.cgroup, undefined);
  t.deepEqual(node.pressure.irq, { full: { avg10: 0.75, avg60: 1.25, avg300: 0.05, totalUs: 3 } });
  t.is(worst.cgroup, '/a');
  t.deepEqual(worst.pressure.memory.full, { avg10: 12.5, avg60: 1.25, avg300: 0.05, totalUs: 50 });
  t.is(worst.pressure.io, undefined);
  const path = await run(['pressure', '--top', '0', '-o', 'jsonpath=.pressure.cpu.some.avg10']);
  t.is(path.out, '17.5\n');
});

test('a watch shows the share of the time since the table before', async (t) => {
  const node = await cgroupsNode(t, tree);
  const { run } = await cgroupsOf(t, [node.cgroups]);
  const stop = new AbortController();
  const work = async (): Promise<void> => {
    await asleep(node.clock);
    await node.write({ 'c/cpu.pressure': both('0.00', '0.00', 4_000_000_000) });
    node.clock.advance(1000);
    await asleep(node.clock);
    node.clock.advance(1000);
  };
  const working = work();
  const { code, out } = await run(['pressure', '-w', '--top', '3'], {
    signal: stop.signal,
    onOutput: (text) => {
      if (text.split('\n\n').length > 1) stop.abort(new Error('interrupted'));
    },
  });
  await working;
  t.is(code, 130);
  const [first = '', second = ''] = out.split('\n\n');
  t.regex(first.split('\n')[2] ?? '', /\/c +100\.00 +100\.00 +-/);
  t.regex(first.split('\n')[3] ?? '', /\/a +0\.00/);
  t.regex(second.split('\n')[1] ?? '', /\(node\) +0\.00/);
  t.false(second.includes('100.00'));
});

test('a node with cgroup v1 shows itself alone when it is asked to', async (t) => {
  const message = 'no cgroup v2 hierarchy is mounted, only cgroup v1: cpu at /sys/fs/cgroup/cpu';
  const old = new CgroupError('ERR_CGROUP_VERSION', '/sys/fs/cgroup', message);
  const { cgroups } = await cgroupsNode(t, {}, { hierarchy: () => Promise.reject(old) });
  const { run } = await cgroupsOf(t, [cgroups]);
  const all = await run(['pressure']);
  t.is(all.code, 1);
  t.regex(all.error, /only cgroup v1: cpu at \/sys\/fs\/cgroup\/cpu/);
  const alone = await run(['pressure', '--top', '0']);
  t.is(alone.code, 0);
  t.regex(alone.out, /\(node\) +0\.00/);
});

test('flags that can not be are usage errors', async (t) => {
  for (const args of [
    ['--top', '1001'],
    ['--top', '-1'],
    ['--sort', 'disk'],
    ['--average', '5'],
    ['--interval', '2h'],
  ])
    t.is((await osctl(['pressure', ...args])).code, 2, args.join(' '));
});
