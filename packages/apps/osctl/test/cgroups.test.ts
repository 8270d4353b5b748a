import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CgroupError } from '@nodecore/cgroup';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { asleep, cgroupsNode, furnish } from '../../agent/test/cgroups-node.ts';
import { ServiceCgroups } from '../../../workload/supervisor/src/cgroups.ts';
import { cgroupsOf } from './cgroups-node.ts';
import { osctl } from './command-line.ts';

const uid = '0f4c2f9e-1111-2222-3333-444455556666';
const [one, two] = ['a'.repeat(64), 'b'.repeat(64)];

const memory = {
  'memory.current': '3145728\n',
  'kubepods/memory.current': '2097152\n',
  [`kubepods/pod${uid}/memory.current`]: '1048576\n',
  [`kubepods/pod${uid}/memory.max`]: 'max\n',
  [`kubepods/pod${uid}/${one}/memory.current`]: '4096\n',
  [`kubepods/pod${uid}/${two}/memory.current`]: '8192\n',
  'system.slice/memory.current': '512\n',
};

function stat(user: number, system: number): string {
  return `usage_usec 0\nuser_usec ${user}\nsystem_usec ${system}\n`;
}

/** The cells of a table. */
function rowsOf(table: string): string[][] {
  return table
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
}

async function complete(...words: string[]): Promise<string[]> {
  const { out } = await osctl(['__complete', '--', ...words]);
  return out.split('\n').flatMap((line) => line.split('\t')[0] || []);
}

const file = 'columns:\n  - name: Mem\n    template: "{{ .MemoryCurrent.HumanizeIBytes }}"\n';

test('a tree has names in place of ids, siblings in their order, and unset where there is nothing', async (t) => {
  const { cgroups, places } = await cgroupsNode(t, memory);
  await furnish(places, {
    pods: [`kube-system_dns_${uid}`],
    containers: [`dns_kube-system_dns-${one}.log`, `dns_kube-system_dns-${two}.log`],
  });
  const { run } = await cgroupsOf(t, [cgroups]);
  const { code, out, error } = await run(['cgroups', '--preset', 'memory']);
  t.is(code, 0);
  t.is(error, '');
  const lines = out.split('\n').map((line) => line.slice(0, 54));
  t.deepEqual(lines, [
    'NAME                             MemCurrent   MemPeak ',
    '.                                 3.0 MiB        unset',
    '├── kubepods                      2.0 MiB        unset',
    '│   └── kube-system/dns           1.0 MiB        unset',
    '│       ├── dns (aaaaaaaaaaaa)    4.0 KiB        unset',
    '│       └── dns (bbbbbbbbbbbb)    8.0 KiB        unset',
    '└── system.slice                    512 B        unset',
    '',
  ]);
  t.deepEqual(out.split('\n')[0]?.split(/ {2,}/), [
    'NAME',
    'MemCurrent',
    'MemPeak',
    'MemLow',
    'Peak/Low',
    'MemHigh',
    'MemMin',
    'Current/Min',
    'MemMax',
  ]);
});

test('--skip-cri-resolve shows directories', async (t) => {
  const { cgroups, places } = await cgroupsNode(t, memory);
  await furnish(places, { pods: [`kube-system_dns_${uid}`] });
  const { run } = await cgroupsOf(t, [cgroups]);
  const { out } = await run(['cg', '--preset', 'memory', '--skip-cri-resolve']);
  t.true(out.includes(`└── pod${uid} `), out);
  t.true(out.includes(`├── ${one} `), out);
  t.false(out.includes('kube-system/dns'));
});

test('a tree can begin at any cgroup; one that is not there is exit code 3', async (t) => {
  const { cgroups } = await cgroupsNode(t, memory);
  const { run } = await cgroupsOf(t, [cgroups]);
  const { out } = await run(['cgroups', '/kubepods', '--preset', 'memory', '-o', 'jsonpath=.cgroup']);
  t.is(out, `/kubepods\n/kubepods/pod${uid}\n/kubepods/pod${uid}/${one}\n/kubepods/pod${uid}/${two}\n`);
  const missing = await run(['cgroups', '/none', '--preset', 'memory']);
  t.is(missing.code, 3, missing.error);
  t.is((await run(['cgroups', 'kubepods', '--preset', 'memory'])).code, 1);
});

test('a schema file makes columns, and its errors come before any node is asked', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'columns.yaml');
  const { cgroups } = await cgroupsNode(t, memory);
  const { run } = await cgroupsOf(t, [cgroups]);
  await writeFile(path, file);
  const { code, out } = await run(['cgroups', '--schema-file', path, '/system.slice']);
  t.is(code, 0);
  t.is(out, 'NAME   Mem\n.      512 B\n');
  t.deepEqual(
    JSON.parse((await run(['cgroups', '/system.slice', '--schema-file', path, '-o', 'json'])).out)[0].values,
    {
      Mem: '512 B',
    },
  );
  await writeFile(path, file.replace('MemoryCurrent', 'MemoryCurent'));
  const broken = await osctl(['cgroups', '--schema-file', path, '-e', '127.0.0.1:1']);
  t.is(broken.code, 2);
  t.regex(
    broken.error,
    /columns\.yaml: column "Mem": a cgroup has no field MemoryCurent \(line 1, column 4\)/,
  );
  t.is((await osctl(['cgroups', '--schema-file', join(directory, 'none')])).code, 2);
});

test('flags that say too much or too little are usage errors', async (t) => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /either schema file or preset must be specified/],
    [['--preset', 'cpu', '--schema-file', 'x'], /exclude each other/],
    [['--preset', 'disk'], /Allowed choices are cpu, cpuset, io, memory, process, psi, swap/],
    [['--preset', 'cpu', '-w', '--interval', '50ms'], /Expected 100ms to 1h/],
    [['--preset', 'cpu', '-o', 'csv'], /none of table, json, yaml/],
  ];
  for (const [args, message] of cases) {
    const { code, error } = await osctl(['cgroups', ...args]);
    t.is(code, 2, args.join(' '));
    t.regex(error, message);
  }
});

test('programs get the numbers behind the columns, and nothing of what is absent', async (t) => {
  const { cgroups, places } = await cgroupsNode(t, {
    'a/io.stat': '8:0 rbytes=18446744073709551615 wbytes=2 rios=3 wios=4\n9:9 rbytes=1\n',
    'a/io.pressure': 'some avg10=1.25 avg60=0.50 avg300=0.00 total=77\n',
    'a/cpu.max': 'max 100000\n',
    'a/cpu.stat': 'user_usec 5\n',
    'a/cpuset.cpus': '\n',
    'a/cpuset.cpus.effective': '0-3\n',
    'a/memory.zswap.writeback': '1\n',
    'a/cgroup.procs': '7\n8\n',
    'a/pids.max': 'max\n',
  });
  await furnish(places, { devices: { '8:0': '../block/sda' }, commands: { 7: 'etcd' } });
  const { run, endpoints } = await cgroupsOf(t, [cgroups]);
  const values = async (preset: string): Promise<unknown> => {
    const { out } = await run(['cgroups', '/a', '--preset', preset, '-o', 'json']);
    const [{ node, cgroup, ...rest }] = JSON.parse(out);
    t.is(node, endpoints[0]);
    t.is(cgroup, '/a');
    return rest;
  };
  const { out } = await run(['cgroups', '/a', '--preset', 'io', '-o', 'json']);
  t.true(out.includes('"sda": 18446744073709551615'), 'with all its digits');
  t.like(await values('io'), {
    values: {
      ioWrittenBytes: { sda: 2 },
      ioWrites: { sda: 4 },
      ioSomeAvg10: 1.25,
      ioSomeTotalUs: 77,
    },
  });
  t.deepEqual(await values('cpu'), {
    values: { cpuMaxQuotaUs: 'max', cpuMaxPeriodUs: 100_000, cpuUserUs: 5 },
  });
  t.deepEqual(await values('cpuset'), { values: { cpusetCpus: '', cpusetCpusEffective: '0-3' } });
  t.deepEqual(await values('swap'), { values: { zswapWriteback: true } });
  t.deepEqual(await values('process'), { values: { pidsMax: 'max', processes: 2 }, processes: ['etcd'] });
  const yaml = await run(['cgroups', '/a', '--preset', 'swap', '-o', 'yaml']);
  t.true(yaml.out.includes('values:\n  zswapWriteback: true\n'));
});

test('a watch shows counters as growth per second, and the share of the parent by it', async (t) => {
  const node = await cgroupsNode(t, {
    'cpu.stat': stat(0, 0),
    'a/cpu.stat': stat(0, 50),
    'a/cpu.weight': '100\n',
    'b/cpu.stat': stat(7, 7),
  });
  const { run } = await cgroupsOf(t, [node.cgroups]);
  const stop = new AbortController();
  const work = async (): Promise<void> => {
    await asleep(node.clock);
    await node.write({
      'cpu.stat': stat(4_000_000, 50),
      'a/cpu.stat': stat(1_000_000, 0),
      'c/cpu.stat': stat(1, 1),
    });
    node.clock.advance(1000);
    await asleep(node.clock);
    node.clock.advance(1000);
  };
  const working = work();
  const { code, out, error } = await run(['cgroups', '--preset', 'cpu', '-w'], {
    signal: stop.signal,
    onOutput: (text) => {
      if (text.split('\n\n').length > 1) stop.abort(new Error('interrupted'));
    },
  });
  await working;
  t.is(code, 130);
  t.is(error, '');
  const [first = '', second = ''] = out.split('\n\n');
  const [header, , a, b, c] = rowsOf(first);
  t.deepEqual(header, [
    'NAME',
    'CpuWeight',
    'CpuNice',
    'CpuMax',
    'CpuUser/s',
    'User/%',
    'CpuSystem/s',
    'System/%',
    'Throttled/s',
  ]);
  t.is(a?.[0], '├── a');
  t.regex(a?.[4] ?? '', /^\d[\dhm.]*m?s$/);
  t.is(a?.[4], '1s', 'by the clock that the files were written by');
  t.is(a?.[5], '25.00', 'of what the parent used in this time');
  t.is(a?.[6], 'unset', 'it is lower than it was: it began anew');
  t.deepEqual(b?.slice(4, 7), ['0s', '0.00', '0s']);
  t.deepEqual(c?.slice(4, 7), ['unset', 'unset', 'unset'], 'a new one has no rates yet');
  t.deepEqual(rowsOf(second)[4]?.slice(4, 5), ['0s']);
});

test('a watch for programs has values and rates per second, a line for each cgroup', async (t) => {
  const node = await cgroupsNode(t, {
    'a/io.stat': '8:0 rbytes=5 wbytes=5 rios=1 wios=1\n',
    'a/io.pressure': '',
  });
  const { run } = await cgroupsOf(t, [node.cgroups]);
  const stop = new AbortController();
  const work = async (): Promise<void> => {
    await asleep(node.clock);
    await node.write({ 'a/io.stat': '8:0 rbytes=1000000005 wbytes=5 rios=1 wios=1\n' });
    node.clock.advance(1000);
  };
  const working = work();
  const { out } = await run(['cgroups', '/a', '--preset', 'io', '-w', '-o', 'json'], {
    signal: stop.signal,
    onOutput: () => stop.abort(new Error('interrupted')),
  });
  await working;
  const { values, rates } = JSON.parse(out.split('\n')[0] ?? '');
  t.is(values.ioReadBytes['8:0'], 1_000_000_005);
  t.true(rates.ioReadBytes['8:0'] > 0);
  t.is(rates.ioWrittenBytes['8:0'], 0);
  t.is(rates.ioSomeAvg10, undefined, 'no counter');
});

test('several nodes are one table, and one that fails does not hold back the others', async (t) => {
  const message = 'no cgroup v2 hierarchy is mounted, only cgroup v1: memory at /sys/fs/cgroup/memory';
  const old = new CgroupError('ERR_CGROUP_VERSION', '/sys/fs/cgroup', message);
  const nodes = [
    await cgroupsNode(t, { 'a/pids.current': '1\n' }),
    await cgroupsNode(t, { 'a/pids.current': '2\n' }),
    await cgroupsNode(t, {}, { hierarchy: () => Promise.reject(old) }),
  ];
  const { run, endpoints } = await cgroupsOf(
    t,
    nodes.map(({ cgroups }) => cgroups),
  );
  const { code, out, error } = await run(['cgroups', '--preset', 'process']);
  t.is(code, 6);
  const lines = out.trimEnd().split('\n');
  t.is(lines.length, 5);
  t.regex(lines[0] ?? '', /^NODE +NAME +PidsCurrent /);
  t.regex(lines[2] ?? '', new RegExp(`^${endpoints[0]} +└── a +1 `));
  t.regex(lines[4] ?? '', new RegExp(`^${endpoints[1]} +└── a +2 `));
  t.regex(error, /only cgroup v1: memory at \/sys\/fs\/cgroup\/memory/);
  const { code: alone } = await run(['cgroups', '--preset', 'process', '-n', endpoints[2] ?? '']);
  t.is(alone, 1);
});

test('a node that mixes both versions says why columns are unset', async (t) => {
  const mixed = { directory: '', elsewhere: ['cpuset', 'blkio', 'memory'] };
  const node = await cgroupsNode(t, { 'a/cpu.weight': '1\n' });
  const again = await cgroupsNode(
    t,
    {},
    { hierarchy: async () => ({ ...mixed, directory: node.directory }) },
  );
  const { run, endpoints } = await cgroupsOf(t, [again.cgroups]);
  const said = async (preset: string): Promise<string> => (await run(['cgroups', '--preset', preset])).error;
  const line = (what: string): string =>
    `osctl: ${endpoints[0]}: ${what} on cgroup v1: what v2 would tell of it is unset\n`;
  t.is(await said('cpu'), '');
  t.is(await said('io'), line('blkio'));
  t.is(await said('psi'), line('memory'));
  t.is(await said('cpuset'), line('cpuset'));
});

test('a role that may not read is exit code 4', async (t) => {
  const { cgroups } = await cgroupsNode(t, memory);
  const { run } = await cgroupsOf(t, [cgroups], 'os:capture');
  t.is((await run(['cgroups', '--preset', 'cpu'])).code, 4);
  t.is((await run(['pressure'])).code, 4);
});

test('presets and flags are completed', async (t) => {
  t.deepEqual(await complete('cg', '--preset', ''), [
    'cpu',
    'cpuset',
    'io',
    'memory',
    'process',
    'psi',
    'swap',
  ]);
  t.deepEqual(await complete('cgroups', '--s'), ['--schema-file', '--skip-cri-resolve']);
  t.deepEqual(await complete('pressure', '--sort', 'm'), ['memory']);
  t.deepEqual(await complete('cgroups', '--schema-file', ''), [':files'], 'the shell completes files');
  t.deepEqual(await complete('pressure', '-o', ''), ['table', 'json', 'yaml', 'jsonpath=']);
});

test('limits of a service are those that it was given: in the table, and as numbers with no limit as such', async (t) => {
  const { cgroups, directory } = await cgroupsNode(t, { 'system/cgroup.procs': '' });
  const services = new ServiceCgroups(join(directory, 'system'));
  const mebibyte = 1 << 20;
  const memoryLimits = { memoryMin: 16, memoryLow: 24, memoryHigh: 48, memoryMax: 64 };
  const limits = Object.fromEntries(
    Object.entries(memoryLimits).map(([name, mebibytes]) => [name, mebibytes * mebibyte]),
  );
  await services.prepare('etcd', { ...limits, processes: 20, cpuWeight: 50 });
  await services.prepare('free', {});
  const { run } = await cgroupsOf(t, [cgroups]);
  const shown = async (preset: string): Promise<readonly object[]> => {
    const { out } = await run(['cgroups', '/system', '--preset', preset, '-o', 'json']);
    return (JSON.parse(out) as { cgroup: string; values: object }[])
      .filter(({ cgroup }) => cgroup !== '/system')
      .map(({ values }) => values);
  };
  const bytes = Object.entries(limits).map(([name, value]) => [`${name}Bytes`, value] as const);
  t.deepEqual(await shown('memory'), [
    Object.fromEntries(bytes),
    { memoryMinBytes: 0, memoryLowBytes: 0, memoryHighBytes: 'max', memoryMaxBytes: 'max' },
  ]);
  t.like(await shown('process'), [{ pidsMax: 20 }, { pidsMax: 'max' }]);
  t.like(await shown('cpu'), [{ cpuWeight: 50 }, { cpuWeight: 100 }]);
  const { out } = await run(['cgroups', '/system', '--preset', 'memory']);
  const [head = [], , etcd = [], free = []] = rowsOf(out);
  for (const [column, limit] of [
    ['MemMin', '16 MiB'],
    ['MemLow', '24 MiB'],
    ['MemHigh', '48 MiB'],
    ['MemMax', '64 MiB'],
  ] as const)
    t.regex(etcd[head.indexOf(column)] ?? '', new RegExp(`^${limit.replace(' ', '(\\.0)? ')}$`, 'u'), column);
  t.is(free[head.indexOf('MemMax')], 'max');
});
