import test from 'ava';
import { JsonPath } from '@nodecore/cli/json-path';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const list = [
  {
    node: 'a',
    metadata: { id: 'sda', labels: { 'disk.example/tier': 'fast', 'rack-row': 'r1' } },
    spec: {
      size: 10,
      paths: ['p0', 'p1', 'p2'],
      parts: [
        { name: 'one', ok: true },
        { name: 'two', ok: false },
      ],
    },
  },
  {
    node: 'b',
    metadata: { id: 'sdb', labels: {} },
    spec: { size: 20, paths: [], parts: [{ name: 'three', ok: true }] },
  },
];

/** What a template prints of the list above, as kubectl would of a List with these items. */
const templates: readonly (readonly [template: string, printed: string])[] = [
  // range, text and quoted text
  ['{range .items[*]}{.metadata.id}{"\\n"}{end}', 'sda\nsdb\n'],
  ["{range .items[*]}{.metadata.id}{'\\t'}{.spec.size}{'\\n'}{end}", 'sda\t10\nsdb\t20\n'],
  ['{range .items[*]}[{.metadata.id}, {.spec.size}] {end}', '[sda, 10] [sdb, 20] \n'],
  ['{range .items[*]}{.node}:{range .spec.parts[*]} {.name}{end};{end}', 'a: one two;b: three;\n'],
  ['{range .items[*]}{@.node}{$.items[0].node}{" "}{end}', 'aa ba \n'],
  ['disks: {.items[*].metadata.id}', 'disks: sda sdb\n'],
  ['{.items[*].metadata.id}{" "}{.items[0].node}', 'sda sdb a\n'],
  ['{"a \\"b\\" {c}\\u0021"}{.items[0].node}', 'a "b" {c}!a\n'],
  ['{3}{true}{-1.5}{.items[1].node}', '3true-1.5b\n'],
  ['{ range  .items[*] }{ .node }{ end }', 'ab\n'],
  // names
  ['{.items[0].metadata.labels.rack-row}', 'r1\n'],
  ['{.items[0].metadata.labels.disk\\.example/tier}', 'fast\n'],
  ["{.items[0].metadata.labels['disk\\.example/tier']}", 'fast\n'],
  ["{.items[0].metadata.labels['disk.example/tier']}", 'fast\n'],
  ["{.items[0]['metadata']['id']}", 'sda\n'],
  ['{$.items[0].node}', 'a\n'],
  ["{['items'][1].node}", 'b\n'],
  // indexes, slices, unions
  ['{.items[-1].node}', 'b\n'],
  ['{.items[0].spec.paths[-1:]}', 'p2\n'],
  ['{.items[0].spec.paths[0:2]}', 'p0 p1\n'],
  ['{.items[0].spec.paths[::2]}', 'p0 p2\n'],
  ['{.items[0].spec.paths[0,2]}', 'p0 p2\n'],
  ["{.items[*]['metadata.id','spec.size']}", 'sda sdb 10 20\n'],
  ["{.items[*]['node', 'spec.size']}", 'a b 10 20\n'],
  // filters
  ['{.items[?(@.node=="b")].metadata.id}', 'sdb\n'],
  ["{.items[?(@.node=='b')].metadata.id}", 'sdb\n'],
  ['{.items[?(@.spec.size>10)].node}', 'b\n'],
  ['{.items[?(@.spec.size<=10)].node}', 'a\n'],
  ['{.items[?(@.spec.size!=10)].node}', 'b\n'],
  ['{.items[*].spec.parts[?(@.ok==true)].name}', 'one three\n'],
  ['{.items[?(@.metadata.labels.rack-row)].node}', 'a\n'],
  ['{.items[?(@.metadata.labels.rack-row=="r1")].node}', 'a\n'],
  ['{.items[?(@.metadata.labels.disk\\.example/tier=="fast")].node}', 'a\n'],
  ['{range .items[?(@.spec.size>=10)]}{.node}{end}', 'ab\n'],
  ['{.items[?(@.node=="}")].node}{.items[0].node}', 'a\n'],
  // everything, and below everything
  ['{.items..name}', 'one two three\n'],
  ['{.items[0].spec.*}', '10 ["p0","p1","p2"] [{"name":"one","ok":true},{"name":"two","ok":false}]\n'],
  ['{.items[1].metadata}', '{"id":"sdb","labels":{}}\n'],
  // what is missing prints nothing
  ['{.items[0].nothing}', ''],
  ['{range .items[*]}{.metadata.id}={.metadata.labels.rack-row};{end}', 'sda=r1;sdb=;\n'],
  ['{.items[7].node}', ''],
  ['{range .items[0].nothing[*]}x{end}', ''],
  ['{.items[0].node.deeper}', ''],
];

test('a template over items prints what kubectl prints', (t) => {
  for (const [template, printed] of templates)
    t.is(new JsonPath(template).print(list, { single: false }), printed, template);
});

/** Without `.items`: of each object. */
const each: readonly (readonly [text: string, printed: string])[] = [
  ['{.metadata.id}{"\\t"}{.spec.size}', 'sda\t10\nsdb\t20\n'],
  ['id {.metadata.id}', 'id sda\nid sdb\n'],
  ['{range .spec.paths[*]}<{@}>{end}', '<p0><p1><p2>\n'],
  // one path alone is RFC 9535, with braces and without, and each value has a line
  ['{.metadata.id}', 'sda\nsdb\n'],
  ['$.metadata.id', 'sda\nsdb\n'],
  ['.metadata.id', 'sda\nsdb\n'],
  ['metadata.id', 'sda\nsdb\n'],
  ['{metadata.id}', 'sda\nsdb\n'],
  ['$.spec.paths[*]', 'p0\np1\np2\n'],
  ['{.spec.paths[?@ > "p0"]}', 'p1\np2\n'],
  ['$.spec.parts[?@.ok == true && length(@.name) > 3].name', 'three\n'],
  ["$.spec.parts[?@.name == 'a.b' || @.name == 'one'].name", 'one\n'],
  ["$.metadata.labels['disk.example/tier']", 'fast\n'],
  ['.metadata.labels.rack-row', 'r1\n'],
  ["$.spec.parts[?@.name=='{'].name", ''],
  ['{.}', list.map((object) => `${JSON.stringify(object, null, 2)}\n`).join('')],
  ['.nothing', ''],
];

test('a path alone, and a template without items, is asked of each object', (t) => {
  for (const [text, printed] of each) t.is(new JsonPath(text).print(list, { single: false }), printed, text);
});

function printFirst(text: string): string {
  return new JsonPath(text).print(list.slice(0, 1), { single: true });
}

test('a single object is the root itself, as kubectl has it', (t) => {
  t.is(printFirst('{.metadata.id}{"\\n"}'), 'sda\n');
  t.is(printFirst('{.items[*].metadata.id}'), '');
  t.is(printFirst('{range .spec.parts[*]}{.name}{"\\n"}{end}'), 'one\ntwo\n');
});

test('a template that can not be read says why', (t) => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['{range .items[*]}{.x}', /a \{range\} without an \{end\}/u],
    ['{.x}{end}', /an \{end\} without a \{range\}/u],
    ['{.x', /has no end/u],
    ['a {.x[0} b', /has no end/u],
    ['{}', /nothing between the braces/u],
    ['{.x,.y}{.z y}', /unexpected " y"/u],
    ['{.x[}', /has no end/u],
    ['{.x[?(@.a=~"b")]}', /jsonpath \{\.x/u],
    ['$.[', /jsonpath \$\.\[/u],
  ];
  for (const [text, words] of wrong)
    t.throws(() => new JsonPath(text), { code: 'ERR_USAGE', message: words }, text);
});

test('get prints a template over all nodes', async (t) => {
  const node = await startFakeNode(t, {
    specs: { 'Disks.block.nodecore.dev': { sda: { size: 1 }, sdb: { size: 2 } } },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const print = (template: string): ReturnType<typeof osctl> =>
    osctl(['get', 'disks', '-o', `jsonpath=${template}`], { env });
  t.is((await print('{range .items[*]}{.metadata.id} {.spec.size}{"\\n"}{end}')).out, 'sda 1\nsdb 2\n');
  t.is((await print('{.items[?(@.spec.size==2)].metadata.id}')).out, 'sdb\n');
  t.is((await print('{range .x}')).code, 2);
});
