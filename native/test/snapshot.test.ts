import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { SnapshotSink } from '../src/snapshot.ts';

const addon =
  process.env['NODECORE_NATIVE'] ?? fileURLToPath(new URL('../build/Release/nodecore.node', import.meta.url));
const program = join(dirname(dirname(addon)), 'snapshot_test');

test('the check of snapshots works without JavaScript', async (t) => {
  const output = await new Promise<string>((resolve, reject) => {
    // The runtime that the sanitized addon needs in Node is linked into the program.
    const env = { ...process.env, LD_PRELOAD: '' };
    execFile(program, { env }, (error, stdout, stderr) => {
      if (error === null || typeof error.code === 'number') resolve(stdout + stderr);
      else reject(error);
    });
  });
  const results = output.trimEnd().split('\n');
  t.deepEqual(
    results.filter((line) => !line.startsWith('ok - ')),
    [],
  );
  t.true(results.length > 8);
});

test('a download whose sink was closed takes nothing, and asks for what it was made for', async (t) => {
  const sink = SnapshotSink.open({ path: join(await temporaryDirectory(t), 'snapshot.db') });
  const download = sink.download({
    scheme: 'http',
    authority: '127.0.0.1:1',
    path: '/x',
    body: new Uint8Array(5),
    windowBytes: 1 << 20,
  });
  t.true(download.hasOutput);
  t.regex(download.output().toString('latin1'), /^PRI \* HTTP\/2\.0\r\n\r\nSM\r\n\r\n/);
  t.false(download.hasOutput);
  sink.abandon();
  await sink.ended();
  sink.close();
  t.is(download.feed(new Uint8Array(100), 100), 0);
  download.flush();
  t.false(download.isOver);
  t.is(download.totalBytes, undefined);
  t.false(download.answer().isOver);
});

test.serial('the thread that writes and proves a snapshot lets the event loop go first', async (t) => {
  // Alone: the sinks of other tests have such a thread, too.
  using sink = SnapshotSink.open({ path: join(await temporaryDirectory(t), 'snapshot.db') });
  // It says so itself, some time after it was made.
  while (!niceValues().includes(10)) await turn();
  t.is(niceValues().filter((nice) => nice === 10).length, 1);
  sink.abandon();
  await sink.ended();
});

/** Of each thread: the 19th field of its status (proc_pid_stat(5)). */
function niceValues(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}
