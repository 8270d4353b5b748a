import { failure } from '@nodecore/api';
import type { ProcessesRequest, ProcessesResponseInit, ProcessInit } from '@nodecore/api/process';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

const idle: ProcessInit = { pid: 7, ppid: 1, state: 'S', threads: 1, command: 'idle', startMicros: 5n };

/** A node that gives each call the next of these answers; all but the last call end as a lost connection does. */
async function processNode(t: ExecutionContext, calls: readonly (readonly ProcessesResponseInit[])[]) {
  const asked: ProcessesRequest[] = [];
  const left = [...calls];
  const node = await startFakeNode(t, {
    processes: {
      processes: (call) => {
        asked.push(call.request);
        for (const answer of left.shift() ?? []) call.write(answer);
        if (left.length === 0) call.end();
        else call.emit('error', failure(status.UNAVAILABLE, 'going down'));
      },
    },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  return { endpoint: node.endpoint, asked, run: (line: string) => osctl(line.split(' '), { env }) };
}

function cellsOf(out: string): string[][] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/u).slice(1));
}

test('who has most comes first, by memory or by time; names on a node move no cursor and end no line', async (t) => {
  const processes: ProcessInit[] = [
    { ...idle, pid: 2, command: 'kthreadd', kernelThread: true, cpuTime: 0.25 },
    {
      ...idle,
      cpuTime: 1.5,
      residentMemory: 1_500_000n,
      virtualMemory: 10_000_000n,
      executable: '/bin/\u001b[2Jx',
      args: ['x', 'a\nb'],
      label: 'system_u',
    },
    { ...idle, pid: 9, state: 'Z', command: 'gone\r', cpuTime: 9 },
    { ...idle, pid: 8, residentMemory: 2_000_000n, args: ['script', '-x'] },
  ];
  const answers = [{ processes: processes.slice(0, 2) }, { processes: processes.slice(2), complete: true }];
  const { run } = await processNode(t, [answers]);
  const { code, out, error } = await run('processes');
  t.is(code, 0, error);
  t.deepEqual(cellsOf(out), [
    ['PID', 'STATE', 'THREADS', 'CPU-TIME', 'VIRTMEM', 'RESMEM', 'LABEL', 'COMMAND'],
    ['8', 'S', '1', '0.00', '0 B', '2.00 MB', 'script -x'],
    ['7', 'S', '1', '1.50', '10.0 MB', '1.50 MB', 'system_u', '/bin/?[2Jx a?b'],
    ['2', 'S', '1', '0.25', '0 B', '0 B', '[kthreadd]'],
    ['9', 'Z', '1', '9.00', '0 B', '0 B', '(gone?)'],
  ]);
  const byTime = await (await processNode(t, [answers])).run('ps --sort cpu');
  t.deepEqual(
    cellsOf(byTime.out).map(([pid]) => pid),
    ['PID', '9', '7', '2', '8'],
  );
});

test('programs get every field; both forms of the command, and none of what was not asked', async (t) => {
  const { run, endpoint } = await processNode(t, [[{ processes: [idle], complete: true }]]);
  const [object] = JSON.parse((await run('p -o json')).out) as object[];
  t.deepEqual(object, {
    node: endpoint,
    pid: 7,
    ppid: 1,
    state: 'S',
    threads: 1,
    cpuTime: 0,
    virtualMemory: 0,
    residentMemory: 0,
    command: 'idle',
    executable: '',
    args: [],
    label: '',
    uid: 0,
    startMicros: 5,
    kernelThread: false,
    cgroup: '',
    nice: 0,
  });
});

const sample = (seconds: number, ...processes: readonly ProcessInit[]): ProcessesResponseInit => ({
  processes: [...processes],
  complete: true,
  clockMicros: BigInt(seconds * 1e6),
});

/** Who has which share of a processor. */
function shares(text: string): unknown[] {
  return cellsOf(text).map(([pid, , , , share]) => [pid, share]);
}

test('a watch has the share of a processor since the table before; a number that is given anew is another process', async (t) => {
  const { run, asked } = await processNode(t, [
    [
      sample(
        10,
        { ...idle, cpuTime: 100 },
        { ...idle, pid: 8, cpuTime: 50 },
        { ...idle, pid: 9, cpuTime: 1 },
      ),
      sample(12, { ...idle, cpuTime: 101 }, { ...idle, pid: 8, cpuTime: 0.5, startMicros: 11_000_000n }),
    ],
  ]);
  const { out } = await run('processes --sort cpu --watch --interval 2s');
  const [first = '', second = ''] = out.split('\n\n');
  t.deepEqual(shares(first), [
    ['PID', 'CPU%'],
    ['7', '-'],
    ['8', '-'],
    ['9', '-'],
  ]);
  t.deepEqual(shares(second), [
    ['PID', 'CPU%'],
    ['7', '50.0'],
    ['8', '25.0'],
  ]);
  t.is(asked[0]?.intervalMillis, 2_000);
});

test('a watch survives a lost connection; half a sample of it is none', async (t) => {
  const { run } = await processNode(t, [
    [sample(1, idle), { processes: [{ ...idle, pid: 66 }] }],
    [sample(9, { ...idle, cpuTime: 3 })],
  ]);
  const { code, out, error } = await run('processes -w -o json');
  t.is(code, 0, error);
  t.regex(error, /going down;.*connecting again/u);
  const found = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly pid: number; readonly cpuPercent?: number });
  // Nobody knows what was used while nobody looked.
  t.deepEqual(
    found.map(({ pid, cpuPercent }) => [pid, cpuPercent]),
    [
      [7, undefined],
      [7, undefined],
    ],
  );
});

test('an interval without a watch, and a column that is none, are refused before anything is asked', async (t) => {
  const { run, asked } = await processNode(t, []);
  t.is((await run('processes --interval 2s')).code, 2);
  t.is((await run('processes --sort name')).code, 2);
  t.is((await run('processes -w --interval 1ms')).code, 2);
  t.deepEqual(asked, []);
});
