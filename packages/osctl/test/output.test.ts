import test from 'ava';
import { JsonPath } from '../src/output/json-path.ts';
import { formatDiff } from '../src/apply/diff.ts';
import { Table } from '../src/output/table.ts';

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
