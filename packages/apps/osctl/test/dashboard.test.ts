import { failure } from '@nodecore/api';
import { program, testWith } from '@nodecore/testkit';
import test from 'ava';

import { startDashboardNode } from './dashboard-node.ts';
import { clientConfig, osctl } from './command-line.ts';
import { PseudoTerminal } from './dashboard-terminal.ts';
import { status } from './fake-node.ts';

const terminalTest = testWith(program('script'), program('stty'));

terminalTest('on a real terminal: screens, nodes, scrolling, another size, pause and the end', async (t) => {
  const [a, b] = [await startDashboardNode(t, 'node-a'), await startDashboardNode(t, 'node-b')];
  const env = await clientConfig(t, { endpoints: [a.endpoint, b.endpoint], nodes: [a.endpoint, b.endpoint] });
  const terminal = PseudoTerminal.start(t, ['dashboard', '-d', '100ms'], env);
  const summary = await terminal.shows(
    `[${a.endpoint}]`,
    'node-a   v1.14.0   up 1h 1m',
    /Processor .* 50\.0 % of 1, load 0\.25 0\.50 1\.00/u,
    '3.07 MB of 4.10 MB',
    'cpu 12.5/- %',
    'Stage      running, ready',
    'the kernel of node-a speaks?[2J?',
    '[F1 summary]',
  );
  t.is(summary.split('\n').length, 24);
  t.false(terminal.output.includes('speaks\u001b'), 'nothing that a node says is a command');
  terminal.type('\u001bOQ');
  await terminal.shows('[F2 monitor]', '/bin/node-a-1 ', '/bin/node-a-11 ');
  terminal.type('\u001b[C');
  await terminal.shows(`[${b.endpoint}]`, '/bin/node-b-1 ');
  terminal.type('jj');
  await terminal.shows(/COMMAND +\n[^\n]*node-b-3 /u);
  terminal.type('h');
  await terminal.shows(`[${a.endpoint}]`, /COMMAND +\n[^\n]*node-a-1 /u);
  await terminal.resize(120, 40);
  // One after the other: rows, and then columns.
  const wide = await terminal.shows('/bin/node-a-25 ', /^.{120}$/mu);
  t.deepEqual([wide.split('\n').length, wide.split('\n')[5]!.length], [40, 120]);
  terminal.type('\u001a');
  await terminal.shows('PAUSED');
  terminal.type('\u001a');
  await terminal.shows('every 100 ms');
  terminal.type('q');
  t.deepEqual(await terminal.end(), { code: 0, isRestored: true });
});

for (const [what, end, code] of [
  ['Ctrl-C', (terminal: PseudoTerminal) => terminal.type('\u0003'), 0],
  ['SIGTERM', (terminal: PseudoTerminal) => terminal.kill('SIGTERM'), 143],
  ['SIGHUP', (terminal: PseudoTerminal) => terminal.kill('SIGHUP'), 129],
  ['SIGINT', (terminal: PseudoTerminal) => terminal.kill('SIGINT'), 130],
] as const)
  terminalTest(`${what} leaves the terminal as it was before`, async (t) => {
    const node = await startDashboardNode(t, 'node-a');
    const env = await clientConfig(t, { endpoints: [node.endpoint] });
    const terminal = PseudoTerminal.start(t, ['dashboard'], env);
    await terminal.shows('node-a   v1.14.0');
    await end(terminal);
    t.deepEqual(await terminal.end(), { code, isRestored: true });
  });

terminalTest(
  'a node that is lost is shown so beside one that is well, and is back when it answers',
  async (t) => {
    const lost = { is: false };
    const a = await startDashboardNode(t, 'node-a', {
      counters: {
        // Lost in the middle of an answer, too.
        memory: (_call, answer) => {
          if (lost.is) answer(failure(status.UNAVAILABLE, 'going down'));
          else answer(null, { values: [{ name: 'MemTotal', value: 4000n, unit: 'kB' }] });
        },
      },
    });
    const b = await startDashboardNode(t, 'node-b');
    const env = await clientConfig(t, {
      endpoints: [a.endpoint, b.endpoint],
      nodes: [a.endpoint, b.endpoint],
    });
    const terminal = PseudoTerminal.start(t, ['dashboard', '-d', '100ms'], env);
    await terminal.shows('node-a   v1.14.0', '- of 4.10 MB', 'has no handler');
    lost.is = true;
    await terminal.shows(`[!${a.endpoint}]`, 'going down', 'it is asked again in', '- of 4.10 MB');
    terminal.type('l');
    await terminal.shows(`!${a.endpoint} `, `[${b.endpoint}]`, 'node-b   v1.14.0   up');
    lost.is = false;
    await terminal.shows(` ${a.endpoint} `);
    terminal.type('q');
    t.deepEqual(await terminal.end(), { code: 0, isRestored: true });
  },
);

terminalTest(
  'what is known is shown while the rest is waited for, and every call has a deadline',
  async (t) => {
    const [log, pressure] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const node = await startDashboardNode(t, 'node-a', {
      // It never answers.
      kernelLog: { dmesg: (call) => log.resolve(Number(call.getDeadline()) - Date.now()) },
      cgroups: { pressure: (call) => pressure.resolve(Number(call.getDeadline()) - Date.now()) },
    });
    const env = await clientConfig(t, { endpoints: [node.endpoint] });
    const terminal = PseudoTerminal.start(t, ['dashboard', '-d', '100ms'], env);
    await terminal.shows('node-a   v1.14.0', '3.07 MB of 4.10 MB', 'Kernel log waiting for the node');
    for (const leftMs of [await log.promise, await pressure.promise])
      t.true(leftMs > 0 && leftMs <= 10_000, String(leftMs));
    terminal.type('q');
    t.deepEqual(await terminal.end(), { code: 0, isRestored: true });
  },
);

terminalTest('stopped and gone on with, it has the terminal again', async (t) => {
  const node = await startDashboardNode(t, 'node-a');
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const terminal = PseudoTerminal.start(t, ['dashboard'], env);
  await terminal.shows('node-a   v1.14.0');
  await terminal.kill('SIGTSTP');
  await terminal.prints('\u001b[?1049l');
  await terminal.stopped();
  await terminal.kill('SIGCONT');
  await terminal.prints('\u001b[?1049l', '\u001b[?1049h', 'node-a   v1.14.0');
  terminal.type('q');
  t.deepEqual(await terminal.end(), { code: 0, isRestored: true });
});

test('without a terminal it says what to use instead, and asks nobody', async (t) => {
  const { code, out, error } = await osctl(['dashboard', '-i', '-n', '127.0.0.1:1']);
  t.is(code, 2);
  t.is(out, '');
  t.regex(error, /^osctl: the dashboard needs a terminal; use osctl memory, .* -o json/u);
  const short = await osctl(['dashboard', '-d', '10ms']);
  t.is(short.code, 2);
  t.regex(short.error, /Expected 100ms to 1h/u);
});
