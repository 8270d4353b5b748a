import test from 'ava';

import { Budget, compileSchema, compileTemplate, type SchemaNode } from '../src/schema/index.ts';
import { schemaNode } from './schema-node.ts';

const parent = schemaNode({ 'cpu.stat': 'user_usec 2000000\n', 'memory.max': '4096\n' });
const node: SchemaNode = schemaNode(
  {
    'cpu.stat': 'usage_usec 1500000\nuser_usec 500000\n',
    'cpu.max': 'max 100000\n',
    'cpu.weight': '100\n',
    'cpuset.cpus': '0-3\n',
    'memory.current': '1572864\n',
    'memory.max': 'max\n',
    'cgroup.procs': '1\n22\n333\n',
    'io.stat': '8:16 rbytes=2048 wbytes=0\n8:0 rbytes=1024 wbytes=512\n',
    'cpu.pressure': 'some avg10=1.05 avg60=0.00 avg300=0.00 total=7\n',
    'memory.stat': 'anon 4096\nodd-key 3\n',
  },
  {
    parent,
    processNames: ['init', 'sh'],
    deviceName: (device) => (device === '8:0' ? 'sda' : undefined),
    children: new Map([
      ['b', schemaNode({ 'pids.current': '2\n' })],
      ['a', schemaNode({ 'pids.current': '1\n' })],
    ]),
  },
);

const rendered: Readonly<Record<string, string>> = {
  'plain text': 'plain text',
  '{{ .CPUWeight }}': '100',
  '{{.CPUWeight}}': '100',
  '{{ .CPUSetCPUs }}': '0-3',
  '{{ .MemoryHigh }}': 'unset',
  '{{ .MemoryMax }}': 'max',
  '{{ .MemoryCurrent.HumanizeIBytes }}': '1.5 MiB',
  '{{ .CPUStat.user_usec.UsecToDuration }}': '500ms',
  '{{ .CPUStat.user_usec.DivideBy .Parent.CPUStat.user_usec }}%': '25.00%',
  '{{ (index .CPUStat "user_usec").UsecToDuration }}': '500ms',
  '{{ index .MemoryStat "odd-key" }}': '3',
  '{{ .CPUStat.nothing }}': 'unset',
  '{{ .IOPressure.some.avg10 }}': 'unset',
  '{{ .CPUPressure.some.avg10 }}': '1.05',
  '{{ .CPUMax }}': '[max 100000]',
  '{{ printf "%6s" .CPUMax }}': '[   max 100000]',
  '{{ .CPUMax | printf "%6s" }}': '[   max 100000]',
  '{{ index .CPUMax 1 }}': '100000',
  '{{ len .CgroupProcs }}': '3',
  '{{ len .CgroupProcs | printf "%5d" }}|': '    3|',
  '{{ .CgroupProcsResolved }}': '[init sh]',
  '{{ printf "%.6s" (printf "%v" .CgroupProcsResolved) }}': '[init ',
  '{{ if .Parent }}child{{ else }}root{{ end }}': 'child',
  '{{ if .Parent.Parent }}deep{{ else if .Parent }}first{{ else }}root{{ end }}': 'first',
  '{{ with .Parent }}{{ .MemoryMax }}/{{ $.MemoryMax }}{{ end }}': '4096/max',
  '{{ with "" }}a{{ else }}b{{ end }}': 'b',
  '{{ range $name, $stat := .IOStat }}{{ $name }}={{ $stat.rbytes }} {{ end }}': '8:16=2048 sda=1024 ',
  '{{ range .CPUMax }}<{{ . }}>{{ else }}none{{ end }}': '<max><100000>',
  '{{ range $i, $x := .CgroupProcs }}{{ if eq $i 1 }}{{ break }}{{ end }}{{ $x }}{{ end }}': '1',
  '{{ range $x := .CgroupProcs }}{{ if eq $x 22 }}{{ continue }}{{ end }}{{ $x }} {{ end }}': '1 333 ',
  '{{ range .IOMax }}x{{ else }}none{{ end }}': 'none',
  '{{ range $name, $child := .Children }}{{ $name }}:{{ $child.PidsCurrent }} {{ end }}': 'a:1 b:2 ',
  '{{ $n := len .CgroupProcs }}{{ if gt $n 2 }}many{{ end }}': 'many',
  '{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}': '2',
  '{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ end }}{{ $x }}': '1',
  '{{ and 1 0 2 }} {{ or 0 "" "x" }} {{ not 0 }}': '0 x true',
  '{{ or .CPUWeight (index .CPUMax 99) }}': '100',
  '{{ eq .CPUWeight 100 }} {{ ne 1 2 }} {{ lt 1 2 }} {{ le 2 2 }} {{ ge 1 2 }} {{ eq 3 1 2 3 }}':
    'true true true true false true',
  '{{ lt .MemoryHigh 5 }}': 'false',
  '{{ printf "%-6s|%06.2f|%+d|%x|%q|%t|%%" "ab" 3.14159 5 255 "q" true }}': 'ab    |003.14|+5|ff|"q"|true|%',
  '{{ printf "%.1f" .MemoryCurrent.Float64 }}': '1572864.0',
  '{{ print 1 2 "a" "b" 3 }}': '1 2ab3',
  '{{ slice "abcdef" 1 3 }}': 'bc',
  '{{ slice .CgroupProcs 1 }}': '[22 333]',
  '{{ `raw "text"` }}': 'raw "text"',
  '{{ "a\\tb" }}': 'a\tb',
  '{{ -3 }} {{ 2.5 }}': '-3 2.5',
  'a {{- .CPUWeight -}} b': 'a100b',
  'a {{/* a comment */}} b': 'a  b',
  'a {{- /* a comment */ -}} b': 'ab',
  '{{ .MemoryStat }}': 'map[anon:4096 odd-key:3]',
  '{{ nil }}': '<no value>',
};

for (const [template, text] of Object.entries(rendered)) {
  test(`${template} is ${JSON.stringify(text)}`, (t) => {
    t.is(compileTemplate(template).render(node), text);
  });
}

const refused: readonly (readonly [
  template: string,
  code: string,
  line: number,
  column: number,
  reason: RegExp,
])[] = [
  ['{{ .MemoryCurent }}', 'ERR_SCHEMA_FIELD', 1, 4, /no field MemoryCurent/],
  ['{{ .CPUWeight }}\n  {{ .Parent.Nothing }}', 'ERR_SCHEMA_FIELD', 2, 13, /no field Nothing/],
  ['{{ frobnicate 1 }}', 'ERR_SCHEMA_FIELD', 1, 4, /no function is called frobnicate/],
  ['{{ $x }}', 'ERR_SCHEMA_FIELD', 1, 4, /no variable is called \$x/],
  ['{{ if true }}{{ $x := 1 }}{{ end }}{{ $x }}', 'ERR_SCHEMA_FIELD', 1, 39, /no variable/],
  ['{{ .CPUWeight', 'ERR_SCHEMA_SYNTAX', 1, 1, /does not end/],
  ['{{ if true }}', 'ERR_SCHEMA_SYNTAX', 1, 14, /end.* is missing/],
  ['a {{ end }}', 'ERR_SCHEMA_SYNTAX', 1, 6, /without a beginning/],
  ['{{ (1 }}', 'ERR_SCHEMA_SYNTAX', 1, 7, /"\)" is missing/],
  ['{{ }}', 'ERR_SCHEMA_SYNTAX', 1, 4, /value is missing/],
  ['{{ 1 | }}', 'ERR_SCHEMA_SYNTAX', 1, 8, /value is missing/],
  ['{{ break }}', 'ERR_SCHEMA_SYNTAX', 1, 4, /outside of range/],
  ['{{ define "x" }}{{ end }}', 'ERR_SCHEMA_SYNTAX', 1, 4, /not part of the subset/],
  ['{{ "unended }}', 'ERR_SCHEMA_SYNTAX', 1, 4, /unexpected/],
  ['{{ "\\w" }}', 'ERR_SCHEMA_SYNTAX', 1, 4, /escape/],
  ['{{ nil.Foo }}', 'ERR_SCHEMA_SYNTAX', 1, 7, /unexpected "Foo"/],
  ['{{ # }}', 'ERR_SCHEMA_SYNTAX', 1, 4, /unexpected "#"/],
];

for (const [template, code, line, column, reason] of refused) {
  test(`${JSON.stringify(template)} is refused at line ${line}, column ${column}`, (t) => {
    t.like(
      t.throws(() => compileTemplate(template)),
      { code, line, column },
    );
    t.regex(t.throws(() => compileTemplate(template))?.message ?? '', reason);
  });
}

const failing: readonly (readonly [template: string, column: number, reason: RegExp])[] = [
  ['{{ index .CPUMax 9 }}', 4, /no element 9/],
  ['{{ len 5 }}', 4, /len of 5/],
  ['{{ .CPUWeight.Nonsense }}', 14, /has no Nonsense/],
  ['{{ .CPUWeight.DivideBy }}', 14, /wants 1 values/],
  ['{{ .CPUWeight.String 1 }}', 14, /wants 0 values/],
  ['{{ .CPUWeight.DivideBy 5 }}', 14, /wants a number of a file/],
  ['{{ .CPUWeight 1 }}', 4, /no function/],
  ['{{ printf "%d" "x" }}', 4, /%d of x/],
  ['{{ printf "%s" }}', 4, /no value for %s/],
  ['{{ printf "x" 1 }}', 4, /1 values for 0 places/],
  ['{{ printf "%9999s" 1 }}', 4, /wider/],
  ['{{ lt 1 "a" }}', 4, /lt of 1 and a/],
  ['{{ range 5 }}{{ end }}', 10, /range over 5/],
];

for (const [template, column, reason] of failing) {
  test(`${template} fails at column ${column} when a cgroup is at hand`, (t) => {
    const error = t.throws(() => compileTemplate(template).render(node));
    t.like(error, { line: 1, column });
    t.regex(error?.message ?? '', reason);
  });
}

test('at the root there is no parent, and nothing can be taken from it', (t) => {
  const template = compileTemplate('{{ .Parent.CPUWeight }}');
  t.throws(() => template.render(parent), {
    code: 'ERR_SCHEMA_EVALUATE',
    message: /nothing has no CPUWeight/,
  });
});

test('a template says which files it needs', (t) => {
  const template = compileTemplate(
    '{{ if .Parent }}{{ .CPUStat.user_usec.DivideBy .Parent.CPUStat.user_usec }}{{ end }}{{ range .Children }}{{ .PidsMax }}{{ end }}',
  );
  t.deepEqual([...template.files].sort(), ['cpu.stat', 'pids.max']);
  t.false(template.processNames);
  t.true(compileTemplate('{{ .CgroupProcsResolved }}').processNames);
});

test('nesting is limited, so that no template takes the stack', (t) => {
  const deep = `${'{{ if 1 }}'.repeat(101)}${'{{ end }}'.repeat(101)}`;
  t.throws(() => compileTemplate(deep), { code: 'ERR_SCHEMA_SYNTAX', message: /nested/ });
  t.throws(() => compileTemplate(`{{ ${'('.repeat(100_000)}`), { code: 'ERR_SCHEMA_SYNTAX' });
  t.is(compileTemplate(`${'{{ if 1 }}'.repeat(100)}x${'{{ end }}'.repeat(100)}`).render(node), 'x');
});

/** A cgroup with 3000 processes. */
const crowded = schemaNode({ 'cgroup.procs': '1\n'.repeat(3000) });

/** What would take hours or all memory, with the column where it runs out. */
const endless: readonly (readonly [template: string, column: number, reason: RegExp])[] = [
  ['{{ range .CgroupProcs }}{{ range $.CgroupProcs }}0123456789{{ end }}{{ end }}', 50, /too long/],
  ['{{ range .CgroupProcs }}{{ range $.CgroupProcs }}{{ break }}{{ end }}{{ end }}', 35, /too many steps/],
  [`${'{{ range $.CgroupProcs }}'.repeat(3)}${'{{ end }}'.repeat(3)}`, 61, /too many steps/],
  ['{{ $x := .CgroupProcs }}{{ range $x }}{{ range $x }}{{ end }}{{ end }}', 48, /too many steps/],
  ['{{ $x := "ab" }}{{ range .CgroupProcs }}{{ $x = print $x $x }}{{ end }}', 49, /too long/],
  [
    '{{ $x := print .CgroupProcs }}{{ range .CgroupProcs }}{{ range $.CgroupProcs }}{{ if eq $x $x }}{{ end }}{{ end }}{{ end }}',
    86,
    /too many steps/,
  ],
  ['{{ range .CgroupProcs }}{{ $x := slice $.CgroupProcs }}{{ end }}', 34, /too many steps/],
];

for (const [template, column, reason] of endless) {
  test(`${template} ends where its budget does`, (t) => {
    const error = t.throws(() => compileTemplate(template).render(crowded), { message: reason });
    t.like(error, { code: 'ERR_SCHEMA_BUDGET', line: 1, column });
  });
}

test('a loop over all processes of a crowded node is within the budget', (t) => {
  const many = schemaNode({ 'cgroup.procs': '1\n'.repeat(100_000) });
  t.is(compileTemplate('{{ range .CgroupProcs }}{{ . }} {{ end }}').render(many).length, 200_000);
});

test('the rows of a table share one budget', (t) => {
  const { row } = compileSchema([{ name: 'A', template: '{{ range .CgroupProcs }}{{ . }}{{ end }}' }]);
  const budget = new Budget();
  const rows = (): void => {
    for (let count = 0; count < 1000; count += 1) row(crowded, budget);
  };
  t.throws(rows, { code: 'ERR_SCHEMA_BUDGET', message: /column "A"/ });
});
