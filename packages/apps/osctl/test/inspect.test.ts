import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { failure } from '@nodecore/api';
import { DependencyType } from '@nodecore/api/inspect';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { clientConfig, osctl } from './command-line.ts';
import { disk, type FakeNodeOptions, startFakeNode, status } from './fake-node.ts';

test('mounts have type, inodes and options, and a row with an error says so', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint], nodes: ['127.0.0.1'] });
  const { out } = await osctl(['mounts'], { env });
  t.deepEqual(out.split('\n'), [
    'NODE        FILESYSTEM           TYPE   SIZE(GB)   USED(GB)   AVAILABLE(GB)   PERCENT USED   INODES USED   MOUNTED ON      OPTIONS',
    '127.0.0.1   /dev/mapper/u-data   xfs    10.00      2.50       7.50            25%            1%            /var/mnt/data   rw,nosuid',
    '127.0.0.1   server:/x            nfs4   -          -          -               -              -             /mnt/x          did not answer',
    '',
  ]);
  t.is((await osctl(['mounts', '--all'], { env })).out.split('\n').length, 5);
  const json: unknown = JSON.parse((await osctl(['mounts', '-o', 'json'], { env })).out);
  t.like(json, { 0: { node: '127.0.0.1', sizeBytes: 10_000_000_000 }, length: 3 });
});

test('disks mark the one the system is on', async (t) => {
  const specs = {
    'Disks.block.nodecore.dev': { nvme0n1: disk, vda: { ...disk, dev_path: '/dev/vda', readonly: false } },
    'SystemDisks.block.nodecore.dev': { 'system-disk': { diskID: 'vda' } },
  };
  const node = await startFakeNode(t, { specs });
  const env = await clientConfig(t, { endpoints: [node.endpoint], nodes: ['127.0.0.1'] });
  const { out } = await osctl(['disks'], { env });
  t.deepEqual(
    out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 4)),
    [
      ['NODE', 'DISK', 'SIZE', 'TRANSPORT'],
      ['127.0.0.1', '/dev/nvme0n1', '54 GB', 'QEMU NVMe'],
      ['127.0.0.1', '*', '/dev/vda', '54 GB'],
      [''],
    ],
  );
  const json: unknown = JSON.parse((await osctl(['disks', '-o', 'json'], { env })).out);
  t.like(json, { 0: { id: 'nvme0n1', system: false }, 1: { id: 'vda', system: true }, length: 2 });
});

test('version prints the client and every node, as text, short or as one object', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint], nodes: ['127.0.0.1'] });
  const text = await osctl(['version'], { env });
  t.regex(
    text.out,
    /^Client:\n {2}Version: +\S+\n[^]*Server:\n {2}NODE: +127\.0\.0\.1\n[^]*OS\/Arch: +linux\/x64\n/,
  );
  t.regex(
    (await osctl(['version', '--short'], { env })).out,
    /^Client: \S+\nServer 127\.0\.0\.1: 0\.1\.0\n$/,
  );
  const json: unknown = JSON.parse((await osctl(['version', '-o', 'json'], { env })).out);
  t.like(json, { nodes: { 0: { node: '127.0.0.1', hostname: 'node-a' } } });
  t.regex((await osctl(['version', '--client', '--short'])).out, /^Client: \S+\n$/);
});

/** Two parts that meet in disks, one of which needs the other. */
const edges = [
  { controllerName: 'finder', type: DependencyType.OUTPUT_EXCLUSIVE, ...disks() },
  { controllerName: 'keeper', type: DependencyType.NEED, need: 'finder' },
  { controllerName: 'keeper', type: DependencyType.INPUT_WEAK, ...disks() },
];

function disks() {
  return { resourceNamespace: 'runtime', resourceType: 'Disks.block.nodecore.dev' };
}

test('what a node is made of is printed as a graph, with and without its resources', async (t) => {
  const inspect: NonNullable<FakeNodeOptions['inspect']> = {
    controllerRuntimeDependencies: (_call, answer) => answer(null, { edges }),
  };
  const node = await startFakeNode(t, { inspect });
  const env = await clientConfig(t, { endpoints: [node.endpoint], nodes: ['127.0.0.1'] });
  const lines = async (...flags: readonly string[]): Promise<readonly string[]> =>
    (await osctl(['inspect', 'dependencies', ...flags], { env })).out.split('\n');
  const parts = ['digraph {', '  rankdir=LR;', '  "finder" [shape=box];', '  "keeper" [shape=box];'];
  const need = '  "finder" -> "keeper" [style=dashed];';
  t.deepEqual(await lines(), [
    ...parts,
    need,
    '  "finder" -> "keeper" [label="Disks", style=dotted];',
    '}',
    '',
  ]);
  t.deepEqual(await lines('--with-resources'), [
    ...parts,
    '  "runtime/Disks.block.nodecore.dev" [shape=note];',
    need,
    '  "finder" -> "runtime/Disks.block.nodecore.dev" [style=bold];',
    '  "runtime/Disks.block.nodecore.dev" -> "keeper" [style=dotted];',
    '}',
    '',
  ]);
});

test('programs get every edge of the graph, with its resources', async (t) => {
  const inspect: NonNullable<FakeNodeOptions['inspect']> = {
    controllerRuntimeDependencies: (_call, answer) =>
      answer(null, {
        edges: [
          ...edges,
          { controllerName: 'newer', type: 99 as DependencyType, ...disks(), resourceId: 'sda' },
        ],
      }),
  };
  const node = await startFakeNode(t, { inspect });
  const env = await clientConfig(t, { endpoints: [node.endpoint], nodes: ['127.0.0.1'] });
  const { out } = await osctl(['inspect', 'dependencies', '-o', 'json'], { env });
  const resource = { namespace: 'runtime', type: 'Disks.block.nodecore.dev' };
  t.deepEqual(JSON.parse(out), [
    { part: 'finder', kind: 'outputExclusive', ...resource },
    { part: 'keeper', kind: 'need', need: 'finder' },
    { part: 'keeper', kind: 'inputWeak', ...resource },
    { part: 'newer', kind: 'unknown', ...resource, id: 'sda' },
  ]);
  t.is((await osctl(['inspect', 'dependencies', '-o', 'json', '--with-resources'], { env })).code, 2);
});

test('who reads one resource meets who writes all of its type, but not who writes another one', async (t) => {
  const inspect: NonNullable<FakeNodeOptions['inspect']> = {
    controllerRuntimeDependencies: (_call, answer) =>
      answer(null, {
        edges: [
          { controllerName: 'finder', type: DependencyType.OUTPUT_SHARED, ...disks() },
          { controllerName: 'maker', type: DependencyType.OUTPUT_SHARED, ...disks(), resourceId: 'sdb' },
          { controllerName: 'keeper', type: DependencyType.INPUT_WEAK, ...disks(), resourceId: 'sda' },
        ],
      }),
  };
  const node = await startFakeNode(t, { inspect });
  const env = await clientConfig(t, { endpoints: [node.endpoint], nodes: ['127.0.0.1'] });
  const arrows = async (...flags: readonly string[]): Promise<readonly string[]> =>
    (await osctl(['inspect', 'dependencies', ...flags], { env })).out
      .split('\n')
      .filter((line) => line.includes('->'));
  t.deepEqual(await arrows(), ['  "finder" -> "keeper" [label="Disks", style=dotted];']);
  t.deepEqual(await arrows('--with-resources'), [
    '  "finder" -> "runtime/Disks.block.nodecore.dev" [style=solid];',
    '  "maker" -> "runtime/Disks.block.nodecore.dev" [label="sdb", style=solid];',
    '  "runtime/Disks.block.nodecore.dev" -> "keeper" [label="sda", style=dotted];',
  ]);
});

test('names in the graph move no cursor, and end where they end', async (t) => {
  const evil = 'a\u001B[2J\u009B\n"b\\';
  const inspect: NonNullable<FakeNodeOptions['inspect']> = {
    controllerRuntimeDependencies: (_call, answer) =>
      answer(null, {
        edges: [
          {
            controllerName: evil,
            type: DependencyType.OUTPUT_SHARED,
            resourceNamespace: evil,
            resourceType: evil,
            resourceId: evil,
          },
          { controllerName: 'keeper', type: DependencyType.NEED, need: evil },
        ],
      }),
  };
  const node = await startFakeNode(t, { inspect });
  const env = await clientConfig(t, { endpoints: [node.endpoint], nodes: ['127.0.0.1'] });
  const { out, error } = await osctl(['inspect', 'dependencies', '--with-resources'], { env });
  t.notRegex((out + error).replaceAll('\n', ''), /\p{Cc}/u);
  const shown = String.raw`a?[2J??\"b\\`;
  t.deepEqual(out.split('\n').slice(2, 6), [
    `  "${shown}" [shape=box];`,
    '  "keeper" [shape=box];',
    `  "${shown}/${shown}" [shape=note];`,
    `  "${shown}" -> "keeper" [style=dashed];`,
  ]);
});

test('the graph of several nodes is no graph', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint], nodes: ['10.0.0.1', '10.0.0.2'] });
  const { code, error } = await osctl(['inspect', 'dependencies'], { env });
  t.is(code, 2);
  t.true(error.includes('this is for one node'));
});

test('a profile that breaks off leaves no file, one that is there stays, and nobody is asked in vain', async (t) => {
  let asked = 0;
  const inspect: NonNullable<FakeNodeOptions['inspect']> = {
    cpuProfile: (call) => {
      asked += 1;
      t.is(call.request.durationMillis, 2500);
      call.write({ data: Buffer.from('{"nodes'), pauseMillis: 1 });
      call.emit('error', failure(status.UNAVAILABLE, 'going down'));
    },
    heapSnapshot: (call) => {
      asked += 1;
      call.write({ data: Buffer.from('{"snap'), pauseMillis: 7 });
      call.write({ data: Buffer.from('shot":1}'), pauseMillis: 8 });
      call.end();
    },
  };
  const node = await startFakeNode(t, { inspect });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const file = join(await temporaryDirectory(t), 'agent');
  const cpu = await osctl(['inspect', 'cpu-profile', '--duration', '2.5s', '-o', file], { env });
  t.is(cpu.code, 5, cpu.error);
  t.deepEqual(await readdir(dirname(file)), []);

  const heap = await osctl(['inspect', 'heap-snapshot', '-o', file, '--json'], { env });
  t.like(JSON.parse(heap.out), { file, sizeBytes: 14, pauseMs: 8 });
  t.is(await readFile(file, 'utf8'), '{"snapshot":1}');
  for (const other of [file, '-']) {
    const again = await osctl(['inspect', 'heap-snapshot', '-o', other], { env });
    t.is(again.code, 2, again.error);
  }
  for (const duration of ['99ms', '61s', '-1s', 'soon'])
    t.is(
      (await osctl(['inspect', 'cpu-profile', `--duration=${duration}`, '-o', `${file}.2`], { env })).code,
      2,
    );
  t.is(asked, 2);
});
