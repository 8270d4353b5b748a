import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { leakedDescriptors, openDescriptors, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { readProcesses } from '../src/index.ts';

type Files = Readonly<Record<string, string>>;

/** A `/proc` with these processes. */
async function proc(t: ExecutionContext, processes: Readonly<Record<string, Files>>): Promise<string> {
  const directory = await temporaryDirectory(t);
  for (const [pid, files] of Object.entries(processes)) {
    await mkdir(join(directory, pid));
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, pid, name), text);
  }
  return directory;
}

const stat = (pid: number, command: string): string =>
  `${pid} (${command}) S 7 1 1 0 -1 4194560 1 2 3 4 150 50 7 8 20 -3 4 0 12345 8192 2 18446744073709551615 1\n`;

test('a name may hold what ends it, and lines', async (t) => {
  const command = 'a) R 1\n(b';
  const directory = await proc(t, {
    42: {
      stat: stat(42, command),
      statm: '9 2 1 0 0 0 0\n',
      cmdline: 'run\0--name\0\0last\0',
      cgroup: '4:cpu:/x\n0::/a b\n',
    },
    self: { stat: stat(1, 'no number') },
    '42x': { stat: stat(1, 'no number') },
    0: { stat: stat(0, 'no process') },
  });
  await symlink('/bin/run (deleted)', join(directory, '42/exe'));
  const rows = await readProcesses({ directory });
  t.is(rows.length, 1);
  t.deepEqual(rows.toArray(), [
    {
      pid: 42,
      ppid: 7,
      state: 'S',
      threads: 4,
      cpuSeconds: 2,
      virtualBytes: 8192,
      residentBytes: 8192,
      uid: process.getuid!(),
      startMicros: 123_450_000,
      isKernelThread: false,
      nice: -3,
      command,
      executable: '/bin/run (deleted)',
      args: ['run', '--name', '', 'last'],
      label: '',
      cgroup: '/a b',
    },
  ]);
});

test('arguments of megabytes are cut, and bytes that are no text stand for themselves', async (t) => {
  const directory = await proc(t, {
    1: { stat: stat(1, 'a'), cmdline: 'x'.repeat(1 << 20) },
    2: { stat: stat(2, 'b') },
  });
  await writeFile(join(directory, '2/cmdline'), Buffer.from([0x61, 0xff, 0]));
  const [long, bytes] = (await readProcesses({ directory })).toArray().toSorted((a, b) => a.pid - b.pid);
  t.is(long?.args[0]?.length, 32 << 10);
  t.deepEqual(bytes?.args, ['a\uFFFD']);
});

test('what is no line of a process is none; the others are there', async (t) => {
  const directory = await proc(t, {
    1: { stat: '1 (a', cmdline: '' },
    2: { stat: '2 (a) S', cmdline: '' },
    3: { stat: '', cmdline: '' },
    4: { stat: stat(4, 'whole'), cmdline: '' },
    5: {},
  });
  t.deepEqual(
    (await readProcesses({ directory })).toArray().map(({ command }) => command),
    ['whole'],
  );
});

test('a directory that is not there is an error with its name', async (t) => {
  await t.throwsAsync(readProcesses({ directory: '/nonexistent' }), {
    code: 'ERR_NATIVE_SYSTEM_CALL',
    message: 'opendir on /nonexistent: ENOENT',
  });
});

test.serial('a question that is given up ends with the reason, and leaves nothing open', async (t) => {
  await readProcesses();
  const before = openDescriptors();
  const control = new AbortController();
  const asked = readProcesses({ signal: control.signal });
  const reason = new Error('enough');
  control.abort(reason);
  t.is(await t.throwsAsync(asked), reason);
  t.is(await t.throwsAsync(readProcesses({ signal: control.signal })), reason);
  await Promise.all(Array.from({ length: 4 }, () => readProcesses()));
  const deadline = performance.now() + 10_000;
  while (leakedDescriptors(before).length > 0 && performance.now() < deadline) await setImmediate();
  t.deepEqual(leakedDescriptors(before), []);
});

test.serial('a ninth question at once is refused, and the next is answered', async (t) => {
  const outcomes = await Promise.allSettled(Array.from({ length: 64 }, () => readProcesses()));
  const refused = outcomes.filter((each) => each.status === 'rejected');
  t.true(refused.length > 0);
  for (const { reason } of refused) t.is((reason as { errno?: string }).errno, 'EBUSY');
  t.true(outcomes.filter((each) => each.status === 'fulfilled').length >= 8);
  t.true((await readProcesses()).length > 0);
});
