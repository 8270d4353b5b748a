import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { tethered } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { followDhcp } from '../src/dhcp/dhcp.ts';
import { endProgram, keepProgram } from '../src/supervisor/program.ts';

const log = pino({ level: 'silent' });

/** Starts programs in place of the real one, and waits for each of them. */
function programs(t: ExecutionContext, argv: readonly string[]) {
  const started: ChildProcess[] = [];
  const start = (): ChildProcess => {
    const child = tethered(argv, { stdio: ['ignore', 'pipe', 'ignore'] });
    t.teardown(() => child.kill('SIGKILL'));
    started.push(child);
    return child;
  };
  const nth = async (count: number): Promise<ChildProcess> => {
    while (started.length < count) await new Promise(setImmediate);
    return started[count - 1]!;
  };
  return { start, nth, started };
}

test('a program that ends is started again after a growing delay, and ends with the signal', async (t) => {
  const [clock, stop] = [new FakeClock(), new AbortController()];
  const { start, nth, started } = programs(t, ['sleep', '1000']);
  const running = keepProgram({ log, clock, graceMs: 5000, start }, stop.signal);
  for (const count of [1, 2]) {
    const child = await nth(count);
    child.kill('SIGKILL');
    while (clock.sleepers === 0) await new Promise(setImmediate);
    t.is(started.length, count);
    clock.skip();
  }
  const last = await nth(3);
  stop.abort();
  await running;
  t.true(last.signalCode !== null || last.exitCode !== null);
  t.is(started.length, 3);
});

test('one that is not there is tried again, and does not end the agent', async (t) => {
  const [clock, stop] = [new FakeClock(), new AbortController()];
  const { start, nth } = programs(t, ['/nonexistent/program']);
  const running = keepProgram({ log, clock, graceMs: 5000, start }, stop.signal);
  await nth(1);
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.skip();
  await nth(2);
  stop.abort();
  await running;
  t.pass();
});

test('a program that does not listen is killed when its time is over', async (t) => {
  const clock = new FakeClock();
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); console.log('ready');";
  const { start } = programs(t, [process.execPath, '-e', deaf]);
  const child = start();
  await once(child.stdout!, 'data');
  const ending = endProgram(child, { clock, graceMs: 5000 });
  t.is(clock.sleepers, 1);
  t.is(child.signalCode, null);
  clock.skip();
  await ending;
  t.is(child.signalCode, 'SIGKILL');
  await endProgram(child, { clock, graceMs: 5000 });
});

test('an interface that goes takes its program along, and has a new one when it is back', async (t) => {
  const directory = await temporaryDirectory(t);
  const plug = async (): Promise<void> => {
    await mkdir(join(directory, 'eth0', 'device'), { recursive: true });
    await writeFile(join(directory, 'eth0', 'type'), '1\n');
  };
  await plug();
  const [clock, stop] = [new FakeClock(), new AbortController()];
  const { start, nth, started } = programs(t, ['sleep', '1000']);
  const running = followDhcp({ log, clock, interfaces: directory, start }, stop.signal);
  const first = await nth(1);
  await rm(join(directory, 'eth0'), { recursive: true });
  while (first.exitCode === null && first.signalCode === null) {
    await new Promise(setImmediate);
    clock.advance(2000);
  }
  await plug();
  while (started.length < 2) {
    await new Promise(setImmediate);
    clock.advance(2000);
  }
  stop.abort();
  await running;
  t.is(started.length, 2);
});
