import { Table } from '@nodecore/cli';
import { JsonPath } from '@nodecore/cli/json-path';
import test from 'ava';
import { CaptureEnd } from '@nodecore/api/capture';
import { ResetStep } from '@nodecore/api/storage';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';
import { formatDiff } from '../src/configuration/diff.ts';

test('a table written in pieces has one header and keeps its widths', (t) => {
  const table = new Table(['node', 'id']);
  t.is(table.format([['10.0.0.1', 'a']]), 'NODE       ID\n10.0.0.1   a\n');
  t.is(table.format([['b', 'c']]), 'b          c\n');
  t.is(table.format([]), '');
});

test('a column shows nothing for what is not there, and lists with commas', (t) => {
  const spec = { size: 1, none: null, list: ['a', 'b'], nested: { x: true } };
  const column = (path: string): string => new JsonPath(path).column(spec);
  t.is(column('$.missing'), '');
  t.is(column('$.none'), '');
  t.is(column('$.size'), '1');
  t.is(column('$.list'), 'a, b');
  t.is(column('$.list[*]'), 'a, b');
  t.is(column('$.nested'), '{"x":true}');
});

test('a filter finds what it should', (t) => {
  const path = new JsonPath('{.disks[?@.size > 1].id}');
  t.deepEqual(
    path.find({
      disks: [
        { id: 'a', size: 1 },
        { id: 'b', size: 2 },
      ],
    }),
    ['b'],
  );
});

test('a difference has colours only where they are wanted', (t) => {
  const diff = '@@ -1 +1 @@\n-a\n+b\n c\n';
  t.is(formatDiff(diff, { colour: false }), diff);
  t.is(
    formatDiff(diff, { colour: true }),
    '\u001B[36m@@ -1 +1 @@\u001B[0m\n\u001B[31m-a\u001B[0m\n\u001B[32m+b\u001B[0m\n c\n',
  );
});

const evil = 'a\u001B[2J\u001B]0;b\u0007\u009B1A';

test('names and texts of a node move no cursor, in no table and no message; JSON has them as they are', async (t) => {
  const spec = { dev_path: evil, model: evil, serial: evil, transport: evil, pretty_size: evil, size: 1 };
  const source = { name: evil, linkType: 1, program: evil };
  const node = await startFakeNode(t, {
    specs: { 'Disks.block.nodecore.dev': { [evil]: spec } },
    version: { hostname: evil, version: evil, kernel: evil },
    storage: {
      reset: (call) => {
        call.write({ step: ResetStep.PLANNED, name: evil, devPath: evil, content: evil, sizeBytes: 1n });
        if (!call.request.dryRun) call.write({ step: ResetStep.FAILED, message: evil, code: evil });
        call.end();
      },
    },
    captures: {
      capture: (call) => {
        call.write({ start: { sources: [source], path: evil } });
        call.write({ report: { end: CaptureEnd.PACKETS, counts: {} } });
        call.end();
      },
    },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  for (const [line, typed] of [
    ['get disks'],
    ['disks'],
    ['version'],
    ['version --short'],
    ['reset --wait=false', 'no\n'],
    ['reset --wait=false --yes'],
    ['pcap -v'],
    ['get nothing'],
  ] as const) {
    const { out, error } = await osctl(line.split(' '), { env, ...(typed !== undefined && { typed }) });
    t.notRegex((out + error).replaceAll('\n', ''), /\p{Cc}/u, line);
    if (!line.endsWith('nothing')) t.true((out + error).includes('a?[2J'), `${line}: ${out}${error}`);
  }
  const { out } = await osctl(['get', 'disks', '-o', 'json'], { env });
  t.is((JSON.parse(out) as [{ metadata: { id: string } }])[0].metadata.id, evil);
  const yaml = await osctl(['get', 'disks', '-o', 'yaml'], { env });
  t.notRegex(yaml.out.replaceAll('\n', ''), /[^\P{Cc}\u0080-\u009f]/u);
});
