import { readSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { ApiError } from '@nodecore/api';
import type { DashboardClient, DashboardNode, Notes } from '@nodecore/api/dashboard';
import { Store } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import { Audience } from '../src/console/audience.ts';
import { ConsoleScreen } from '../src/console/console-screen.ts';
import { consoleOf } from '../src/console/feature.ts';
import { memberPath } from '../src/console/member-path.ts';
import { notesOf } from '../src/console/notes.ts';
import { show } from '../src/console/show.ts';
import { Terminal } from '../src/console/terminal.ts';
import { definitions } from '../src/features.ts';
import { maintenanceStatuses } from '../src/maintenance/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { pseudoTerminal } from './pseudo-terminal.ts';

/** As a terminal gets it that nothing has been drawn on yet. */
const [clear, begin] = ['\u001b[2J', '\u001b[?25l\u001b[?7l\u001b[H\u001b[7m'];
const hostile = '\u001b[2J\u0007\r\nx\u009b31m\u202ey\u2028z';

/** A node that has a name, and refuses all else. */
function namedNode(notes: Notes = []) {
  const asked = { count: 0 };
  const refusal = new ApiError('ERR_API_DENIED', 'not of this test', { endpoint: 'own' });
  const refuse = (): Promise<never> => Promise.reject(refusal);
  async function* refuseAll(): AsyncGenerator<never> {
    yield await refuse();
  }
  const client = {
    version: async () => {
      asked.count += 1;
      return { hostname: `node-1${hostile}`, version: 'v1.14.0', os: 'linux', arch: 'x64', kernel: '6.12' };
    },
    mounts: refuse,
    get: refuse,
    list: refuseAll,
    watch: refuseAll,
    dmesg: refuseAll,
    pressure: refuseAll,
    activity: { processes: refuseAll },
    services: { list: refuse },
    counters: { system: refuse, memory: refuse, loadAverage: refuse, interfaces: refuse, disks: refuse },
  } as unknown as DashboardClient;
  const node: DashboardNode = {
    name: 'this node',
    client,
    node: undefined,
    explain: String,
    notes: () => notes,
  };
  return { node, asked };
}

type Shown = Awaited<ReturnType<typeof showing>>;

/** The dashboard on a terminal of 80 × 25, as long as the test goes on. */
async function showing(t: ExecutionContext, isThere: () => boolean, notes?: Notes) {
  const { fd, path, unplug } = await pseudoTerminal(t, 80, 25);
  const terminal = await Terminal.open(path);
  const clock = new FakeClock();
  const end = new AbortController();
  const { node, asked } = namedNode(notes);
  let typed = 0;
  const audience = { isThere: async () => isThere(), typed: () => void (typed += 1) };
  const shown = show(terminal, { clock, node, audience }, end.signal);
  t.teardown(async () => {
    end.abort();
    await shown;
    await terminal[Symbol.asyncDispose]();
  });
  let output = '';
  const buffer = Buffer.alloc(1 << 16);
  const until = async (isSo: () => boolean): Promise<void> => {
    const late = Date.now() + 20_000;
    while (!isSo()) {
      if (Date.now() > late) throw new Error(`never so:\n${output.slice(-2500)}`);
      await setImmediate();
    }
  };
  return {
    clock,
    asked,
    end,
    shown,
    unplug,
    until,
    typed: () => typed,
    press: (keys: string) => void writeSync(fd, keys),
    /** Resolves when this was written on it. */
    shows: (pattern: RegExp) =>
      until(() => {
        output += readable(fd, buffer);
        return pattern.test(output);
      }),
    output: () => output,
  };
}

function readable(fd: number, buffer: Buffer): string {
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer));
  } catch (error) {
    if ((error as { code?: string }).code === 'EAGAIN') return '';
    throw error;
  }
}

test('the dashboard is on a real terminal, is asked by its keys, and says how the node is reached', async (t) => {
  const it = await showing(t, () => true, [
    ['Address', '10.0.0.2'],
    ['Key', `fingerprint ${hostile}`],
  ]);
  await it.shows(
    /\[this node\][\s\S]*node-1[\s\S]*Address +10\.0\.0\.2[\s\S]*Key +fingerprint[\s\S]*\[F1 summary\]/u,
  );
  await it.shows(/q start/u);
  t.notRegex(it.output(), /h\/l node|q end/u, 'there is one node, and nobody can end it');
  it.press('\u001b[[B');
  await it.shows(/\[F2 monitor\]/u);
  it.press('q');
  await it.shows(/\[F2 monitor\][\s\S]*\[F1 summary\]/u);
  t.is(it.typed(), 2);
  // As many lines as there are rows; what others say moves no cursor, rings no bell and turns no text.
  const frames = it.output().split('\u001b[H').slice(1);
  for (const frame of frames) {
    const ours = ['\u001b[?25l', '\u001b[?7l', clear, '\u001b[7m', '\u001b[m'];
    const bare = ours.reduce((text, each) => text.replaceAll(each, ''), frame);
    t.notRegex(bare.replaceAll(/\r+\n/gu, ''), /[\p{C}\p{Zl}]/u);
  }
  t.is(frames[0]?.split('\n').length, 25);
  t.notRegex(it.output(), /\^\[/u, 'nothing that is typed is echoed');
});

test('while nobody looks the node is not asked; at once when somebody comes', async (t) => {
  let isThere = false;
  const it = await showing(t, () => isThere);
  await it.until(() => it.clock.sleepers >= 3);
  const before = it.asked.count;
  for (let seconds = 0; seconds < 20; seconds += 1) {
    it.clock.advance(1000);
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  }
  t.true(it.asked.count <= before + 1, `${it.asked.count} questions`);
  const quiet = it.asked.count;
  isThere = true;
  it.clock.advance(1000);
  await it.until(() => it.asked.count > quiet);
  await it.shows(/\[F1 summary\]/u);
});

test('a key wakes a terminal that nobody was seen at', async (t) => {
  const it = await showing(t, () => false);
  await it.until(() => it.clock.sleepers >= 3);
  const before = it.asked.count;
  it.press('2');
  await it.shows(/\[F2 monitor\]/u);
  t.is(it.typed(), 1);
  await it.until(() => it.asked.count > before);
});

test('a terminal that is unplugged ends what is shown on it, and nothing else', async (t) => {
  const it: Shown = await showing(t, () => true);
  await it.shows(/\[F1 summary\]/u);
  it.unplug();
  await it.shown;
  t.false(it.end.signal.aborted);
});

test('one frame at a time is written, the newest; all of it again when it was not taken, or is old', async (t) => {
  const writes: { readonly text: string; readonly took: (isWhole: boolean) => void }[] = [];
  let nowMs = 0;
  const lost: unknown[] = [];
  const screen = new ConsoleScreen(
    { width: 3, height: 2 },
    {
      write: (text) => {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        writes.push({ text, took: resolve });
        return promise;
      },
      now: () => nowMs,
      onLost: (error) => lost.push(error),
    },
  );
  const taken = async (isWhole: boolean): Promise<void> => {
    writes.at(-1)?.took(isWhole);
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  };
  screen.draw(['▁a…', 'b']);
  screen.draw(['2', 'b']);
  screen.draw(['3', 'b']);
  t.is(writes[0]?.text, '\u001b[2J\u001b[?25l\u001b[?7l\u001b[H\u001b[7m_a~\u001b[m\r\n\u001b[7mb\u001b[m');
  await taken(true);
  t.is(writes.length, 2);
  t.true(writes[1]?.text.startsWith(`${begin}3`), 'nothing is erased, and nothing flickers');
  await taken(false);
  screen.draw(['3', 'b']);
  t.true(writes[2]?.text.startsWith(clear), 'a part of it may be there');
  await taken(true);
  screen.draw(['3', 'b']);
  await taken(true);
  t.is(writes.length, 3, 'it is there');
  nowMs += 60_000;
  screen.draw(['3', 'b']);
  t.true(writes[3]?.text.startsWith(clear), 'somebody else may have written over it');
  await taken(true);
  screen.resize({ width: 4, height: 2 });
  screen.draw(['3', 'b']);
  t.is(writes.length, 5);
  t.deepEqual(lost, []);
});

test('somebody looks at the terminal that is on the screen, at another line after a key; and there is a glance', async (t) => {
  const active = join(await temporaryDirectory(t), 'active');
  const clock = new FakeClock();
  await writeFile(active, 'tty2\n');
  const [second, third, serial] = ['/dev/tty2', '/dev/tty3', '/dev/hvc1'].map(
    (path) => new Audience(path, { clock, active }),
  );
  t.true(await third?.isThere(), 'the first page is made');
  clock.advance(10_000);
  t.deepEqual(await Promise.all([second, third, serial].map(async (each) => await each?.isThere())), [
    true,
    false,
    false,
  ]);
  third?.typed();
  serial?.typed();
  t.deepEqual(await Promise.all([third, serial].map(async (each) => await each?.isThere())), [false, true]);
  clock.advance(21_000);
  t.true(await third?.isThere(), 'now and then');
  clock.advance(284_000);
  t.false(await serial?.isThere(), 'they have gone');
});

test('its notes are how the node is reached, and why it waits', (t) => {
  const store = new Store();
  const parts = { store, addresses: () => ['10.0.0.2', 'fd00::2'], port: () => 50_000, isVirtual: true };
  t.deepEqual(notesOf({ ...parts, fingerprint: () => 'of-key' }), [
    ['Address', '10.0.0.2, fd00::2'],
    ['API', 'port 50000; Alt+F1 has the log of the kernel'],
    ['Key', 'fingerprint of-key'],
  ]);
  const status = { reason: 'no disk', fingerprint: 'of-maintenance' };
  store.replace(kindOf(maintenanceStatuses), new Map([['maintenance', status]]), 'x');
  const young = notesOf({ ...parts, addresses: () => [], fingerprint: () => undefined, isVirtual: false });
  t.deepEqual(young, [
    ['Address', 'none'],
    ['API', 'port 50000'],
    ['Key', 'fingerprint of-maintenance'],
    ['Waits', 'no disk'],
  ]);
});

test('every column of our resources can be read, and any spec is a cell', (t) => {
  for (const { type, printColumns } of definitions)
    for (const { jsonPath } of printColumns) t.notThrows(() => memberPath(jsonPath), `${type}: ${jsonPath}`);
  t.is(memberPath('$.a.b')({ a: { b: 7 } }), '7');
  t.is(memberPath('$.rules[*].text')({ rules: [{ text: 'x' }, {}, { text: 'y' }] }), 'x, y');
  t.is(memberPath('$.list[*]')({ list: ['x', 2n] }), 'x, 2');
  for (const spec of [undefined, null, 'text', 7, [], { a: 'b' }]) t.is(memberPath('$.a.b')(spec), '');
  t.throws(() => memberPath('$..a'), { instanceOf: TypeError });
});

test('the dashboard is where the command line says, and only on a terminal', (t) => {
  t.is(consoleOf('quiet'), '/dev/tty2');
  t.is(consoleOf('os.dashboard.console=tty5'), '/dev/tty5');
  t.is(consoleOf('os.dashboard.console=/dev/hvc1'), '/dev/hvc1');
  t.is(consoleOf('os.dashboard.disabled=1'), undefined);
  for (const wrong of ['/dev/vda', '../dev/vda', '/dev/tty1/../vda', '/dev/', 'ttyS0x'])
    t.is(consoleOf(`os.dashboard.console=${wrong}`), undefined, wrong);
});

test('what is no terminal has a size, too, and nobody who types', async (t) => {
  const path = join(await temporaryDirectory(t), 'file');
  await writeFile(path, '');
  await using file = await Terminal.open(path);
  t.deepEqual(await file.size(), { width: 80, height: 25 });
  using _nobody = file.listen({ onBytes: () => t.fail(), onLost: () => t.fail() });
  await t.throwsAsync(Terminal.open(`${path}-absent`), { code: 'ENOENT' });
});
