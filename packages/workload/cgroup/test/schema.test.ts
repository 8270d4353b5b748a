import test from 'ava';

import {
  compileSchema,
  isPresetName,
  parseSchemaFile,
  presetNames,
  presetSchema,
} from '../src/schema/index.ts';
import { schemaNode } from './schema-node.ts';

const root = schemaNode({ 'cpu.stat': 'user_usec 2000000\nsystem_usec 0\n', 'io.stat': '' });
const node = schemaNode(
  {
    'cpu.weight': '100\n',
    'cpu.weight.nice': '0\n',
    'cpu.max': 'max 100000\n',
    'cpu.stat': 'usage_usec 7\nuser_usec 500000\nsystem_usec 12\nthrottled_usec 0\n',
    'cpuset.cpus': '\n',
    'cpuset.cpus.effective': '0-1\n',
    'io.stat': '8:0 rbytes=1024 wbytes=0 rios=1 wios=0 dbytes=0 dios=0\n8:16\n',
    'io.pressure': 'some avg10=0.50 avg60=0.25 avg300=0.00 total=1500000\n',
    'memory.current': '1048576\n',
    'memory.peak': '2097152\n',
    'memory.low': '4194304\n',
    'memory.min': '0\n',
    'memory.high': 'max\n',
    'memory.max': 'max\n',
    'memory.pressure':
      'some avg10=1.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.75 avg60=0.00 avg300=0.00 total=0\n',
    'pids.current': '3\n',
    'pids.max': 'max\n',
    'cgroup.procs': '1\n2\n',
    'cgroup.threads': '1\n2\n3\n',
    'memory.swap.current': '0\n',
    'memory.zswap.writeback': '1\n',
  },
  { parent: root, processNames: ['systemd', 'sshd'], deviceName: (id) => (id === '8:0' ? 'sda' : undefined) },
);

const expected: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  cpu: [
    ['CpuWeight', '   100'],
    ['CpuNice', '     0'],
    ['CpuMax', '[   max 100000]'],
    ['CpuUser', '       500ms'],
    ['User/%', ' 25.00'],
    ['CpuSystem', '        12µs'],
    ['System/%', '   max'],
    ['Throttled', '          0s'],
  ],
  cpuset: [
    ['CpuSet', '            '],
    ['CpuSet(Eff)', '         0-1'],
    ['Mems', '            '],
    ['Mems(Eff)', '            '],
  ],
  io: [
    ['Bytes Read/Written', 'sda: 1.0 KiB/0 B '],
    ['ios Read/Write', 'sda: 1/0 '],
    ['PressAvg10', '  0.50'],
    ['PressAvg60', '  0.25'],
    ['PressTotal', '        1.5s'],
  ],
  memory: [
    ['MemCurrent', ' 1.0 MiB'],
    ['MemPeak', ' 2.0 MiB'],
    ['MemLow', ' 4.0 MiB'],
    ['Peak/Low', ' 50.00%'],
    ['MemHigh', '     max'],
    ['MemMin', '     0 B'],
    ['Current/Min', '   max%'],
    ['MemMax', '     max'],
  ],
  process: [
    ['PidsCurrent', '       3'],
    ['PidsPeak', '   unset'],
    ['PidsMax', '     max'],
    ['Procs', '      2'],
    ['Threads', '      3'],
    ['Processes', '[systemd sshd]'],
  ],
  psi: [
    ['MemCurrent', ' 1.0 MiB'],
    ['MemPsiSome10', '  1.00'],
    ['MemPsi10', '  0.75'],
    ['CpuPsi10', ' unset'],
    ['IoPsi10', ' unset'],
  ],
  swap: [
    ['SwapCurrent', '     0 B'],
    ['SwapPeak', '   unset'],
    ['SwapHigh', '   unset'],
    ['SwapMax', '   unset'],
    ['ZswapCurrent', '   unset'],
    ['ZswapMax', '   unset'],
    ['ZswapWriteback', '     1'],
  ],
};

for (const name of presetNames) {
  test(`the preset ${name} has its columns, in their order`, (t) => {
    const schema = presetSchema(name);
    const cells = schema.row(node);
    t.deepEqual(
      schema.columns.map((column, index) => [column.name, cells[index]]),
      expected[name] as unknown as string[][],
    );
  });

  test(`the preset ${name} can be filled at the root, and says what to read`, (t) => {
    const schema = presetSchema(name);
    t.is(schema.row(root).length, schema.columns.length);
    t.true(schema.files.length > 0);
  });
}

test('at the root there is no share of a parent', (t) => {
  const schema = presetSchema('cpu');
  const cells = schema.row(root);
  t.is(cells[schema.columns.findIndex(({ name }) => name === 'User/%')], '     -');
});

test('only the names of presets are names of presets', (t) => {
  t.true(isPresetName('psi'));
  t.false(isPresetName('toString'));
});

test('a schema file becomes a table', (t) => {
  const schema = parseSchemaFile(`
columns:
  - name: Memory
    template: '{{ .MemoryCurrent.HumanizeIBytes }}'
  - name: Procs
    template: |-
      {{ len .CgroupProcs }} of {{ .PidsMax }}
`);
  t.deepEqual(schema.row(node), ['1.0 MiB', '2 of max']);
  t.deepEqual(schema.files, ['cgroup.procs', 'memory.current', 'pids.max']);
});

test('a template that can not be used is found in its column, before there is any cgroup', (t) => {
  const columns = [
    { name: 'Good', template: '{{ .PidsMax }}' },
    { name: 'Bad', template: 'x\n{{ .PidsMux }}' },
  ];
  t.throws(() => compileSchema(columns), {
    code: 'ERR_SCHEMA_FIELD',
    message: 'column "Bad": a cgroup has no field PidsMux (line 2, column 4)',
  });
});

test('a schema file that is none says where', (t) => {
  const rows: readonly (readonly [string, RegExp, number])[] = [
    ['', /a schema is a map/, 1],
    ['columns: []', /at least one/, 1],
    ['columns:\n  - name: A\n', /"template" is text/, 2],
    ['columns:\n  - name: A\n    template: 5\n', /"template" is text/, 3],
    ['columns:\n  - name: A\n    template: x\n    extra: 1\n', /unknown field extra/, 4],
    ['colums:\n  - name: A\n', /unknown field colums/, 1],
    ['columns: [\n', /./, 2],
  ];
  for (const [text, message, line] of rows) {
    t.like(
      t.throws(() => parseSchemaFile(text), { code: 'ERR_SCHEMA_FILE', message }),
      { line },
    );
  }
});

const columnsOf = (count: number): string => `columns:\n${'- {name: A, template: x}\n'.repeat(count)}`;

test('a schema file is small, and has columns that somebody can look at', (t) => {
  t.is(parseSchemaFile(columnsOf(1000)).columns.length, 1000);
  t.like(
    t.throws(() => parseSchemaFile(columnsOf(1001)), { code: 'ERR_SCHEMA_FILE', message: /1000 columns/ }),
    {
      line: 1002,
    },
  );
  t.throws(() => parseSchemaFile(columnsOf(100_000)), { code: 'ERR_SCHEMA_FILE', message: /characters/ });
});
