import { readSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { Store } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { pino } from 'pino';

import { consoleController } from '../src/console/console-controller.ts';
import { consoleOf } from '../src/console/feature.ts';
import { drawn, type PageFacts, statusPage } from '../src/console/status-page.ts';
import { Terminal } from '../src/console/terminal.ts';
import { machineStatuses } from '../src/lifecycle/definitions.ts';
import { maintenanceStatuses } from '../src/maintenance/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { runControllers } from './controllers.ts';
import { pseudoTerminal } from './pseudo-terminal.ts';

const size = { columns: 80, rows: 25 };
const facts: PageFacts = {
  hostname: 'node-1',
  version: 'v1.14.0',
  addresses: ['10.0.0.2', 'fd00::2'],
  port: 50_000,
  fingerprint: 'SHA256:abc=',
  maintenance: undefined,
  sequence: undefined,
  machine: {
    stage: 'running',
    status: { ready: false, unmetConditions: [{ name: 'volumes', reason: 'EPHEMERAL is waiting' }] },
  },
};

test('the page says what the node is, how it is reached, and what it waits for', (t) => {
  t.deepEqual(statusPage(facts, size), [
    'node-1   v1.14.0',
    '',
    'Stage         running, not ready',
    'Address       10.0.0.2',
    '              fd00::2',
    'API           port 50000',
    'Fingerprint   SHA256:abc=',
    '',
    'It waits for',
    '  volumes: EPHEMERAL is waiting',
    '',
    'The kernel logs on the first terminal: Alt+F1.',
  ]);
  const bare = { ...facts, hostname: '', addresses: [], fingerprint: undefined, machine: undefined };
  const young = statusPage({ ...bare, maintenance: 'no disk', sequence: 'reset' }, size).join('\n');
  for (const line of [
    /^no name yet/u,
    /Stage +booting, not ready/u,
    /Sequence +reset/u,
    /Address +none/u,
    /no certificate yet/u,
    /Maintenance +no disk/u,
  ])
    t.regex(young, line);
});

test('what others say moves no cursor, rings no bell and turns no text', (t) => {
  const hostile = '\u001b[2J\u0007\r\nx\u009b31m\u202ey\u2028z\ud800';
  const unmetConditions = [{ name: hostile, reason: hostile }];
  const lines = statusPage(
    {
      ...facts,
      hostname: hostile,
      version: hostile,
      addresses: [hostile],
      fingerprint: hostile,
      maintenance: hostile,
      sequence: hostile,
      machine: { stage: hostile as never, status: { ready: false, unmetConditions } },
    },
    size,
  );
  t.is(lines.filter((line) => /[^\u0020-\u007e]/u.test(line)).join(), '');
  t.is(lines[0]?.slice(0, 30), '?[2J???x?31m?y?z?   ?[2J???x?3');
});

test('no line is wider than the terminal, and there are no more than it has', (t) => {
  const unmetConditions = Array.from({ length: 40 }, (_, index) => ({
    name: `${index}`,
    reason: 'x'.repeat(300),
  }));
  const lines = statusPage(
    { ...facts, machine: { stage: 'running', status: { ready: false, unmetConditions } } },
    size,
  );
  t.is(lines.length, 25);
  t.true(lines.every((line) => line.length <= 80));
  t.is(lines[22], '  … and 27 more');
});

test('the page is on a real terminal in place of what was there, and is drawn again when something changes', async (t) => {
  const { fd, path } = await pseudoTerminal(t, 40, 20);
  await using terminal = await Terminal.open(path);
  t.deepEqual(await terminal.size(), { columns: 40, rows: 20 });
  const store = new Store();
  const writes: string[] = [];
  let addresses = ['10.0.0.2'];
  const { clock } = runControllers(t, store, (ticking) =>
    consoleController({
      log: pino({ level: 'silent' }),
      clock: ticking,
      terminal: async () => ({
        size: () => terminal.size(),
        write: async (text) => {
          writes.push(text);
          return await terminal.write(text);
        },
      }),
      facts: async () => ({ hostname: 'own', version: 'v1', addresses, port: 50_000, fingerprint: 'of-key' }),
    }),
  );
  const written = async (count: number): Promise<void> => {
    const late = Date.now() + 20_000;
    while (writes.length < count) {
      if (Date.now() > late) throw new Error(`${writes.length} pages`);
      await setImmediate();
    }
  };
  await written(1);
  const buffer = Buffer.alloc(4096);
  const seen = buffer.toString('utf8', 0, readSync(fd, buffer));
  t.is(seen.replaceAll('\r\r\n', '\r\n'), writes[0] ?? '');
  t.true(seen.includes('\u001b[H') && seen.includes('of-key'), 'in place of what was there');
  t.true(seen.split('\r\n').every((line) => line.length <= 40 + 20));
  store.replace(
    kindOf(maintenanceStatuses),
    new Map([['maintenance', { reason: 'no disk', fingerprint: 'of-maintenance' }]]),
    'x',
  );
  store.replace(
    kindOf(machineStatuses),
    new Map([['machine', { stage: 'maintenance', status: { ready: true, unmetConditions: [] } }]]),
    'x',
  );
  await written(2);
  while (!/of-maintenance[\s\S]*no disk/u.test(writes.at(-1)!)) await setImmediate();
  const before = writes.length;
  while (clock.sleepers === 0) await setImmediate();
  clock.advance(2000);
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  t.is(writes.length, before, 'nothing has changed');
  addresses = ['10.0.0.3'];
  while (clock.sleepers === 0) await setImmediate();
  clock.advance(2000);
  await written(before + 1);
  t.regex(writes.at(-1) ?? '', /10\.0\.0\.3/u);
  t.is(drawn(['a', 'b']), '\u001b[?25l\u001b[Ha\u001b[K\r\nb\u001b[K\u001b[J');
});

test('the page is where the command line says, and only on a terminal', (t) => {
  t.is(consoleOf('quiet'), '/dev/tty2');
  t.is(consoleOf('os.dashboard.console=tty5'), '/dev/tty5');
  t.is(consoleOf('os.dashboard.console=/dev/hvc1'), '/dev/hvc1');
  t.is(consoleOf('os.dashboard.disabled=1'), undefined);
  for (const wrong of ['/dev/vda', '../dev/vda', '/dev/tty1/../vda', '/dev/', 'ttyS0x'])
    t.is(consoleOf(`os.dashboard.console=${wrong}`), undefined, wrong);
});

test('what is no terminal has a size, too, and is not written through a link', async (t) => {
  const path = join(await temporaryDirectory(t), 'file');
  await writeFile(path, '');
  await using file = await Terminal.open(path);
  t.deepEqual(await file.size(), { columns: 80, rows: 25 });
  await t.throwsAsync(Terminal.open(`${path}-absent`), { code: 'ENOENT' });
});
