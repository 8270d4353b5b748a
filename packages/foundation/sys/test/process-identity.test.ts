import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { ended, identityOf, isRunning, killExactly, killWhere, processStat } from '../src/index.ts';

async function sleeper(t: ExecutionContext): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn('sleep', ['1000']);
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  if (child.pid === undefined) throw new Error('it has an id');
  return child as ChildProcess & { readonly pid: number };
}

test('a process that is meant is ended, and one that has its id by now is not', async (t) => {
  const [meant, other] = [await sleeper(t), await sleeper(t)];
  const identity = identityOf(other.pid);
  killExactly({ pid: other.pid, startTime: '1' });
  t.true(identity !== undefined && isRunning(identity));
  // It was meant when it was looked for, and is another one when the kernel holds it.
  let looked = 0;
  killWhere(other.pid, () => (looked += 1) === 1);
  t.is(looked, 2);
  t.true(identity !== undefined && isRunning(identity));
  const before = readdirSync('/proc/self/fd').length;
  const own = identityOf(meant.pid);
  if (own !== undefined) killExactly(own);
  await ended(meant);
  t.is(meant.signalCode, 'SIGKILL');
  t.is(readdirSync('/proc/self/fd').length <= before, true, 'no descriptor is left open');
  if (own !== undefined) killExactly(own); // it is gone, which is fine
});

test('a program whose name looks like fields does not move those of its process', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const program = join(directory, 'a) Z 1 (b');
  await symlink('/bin/sleep', program);
  const child = spawn(program, ['1000']);
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  t.is(processStat(pid)[4], String(process.pid));
  t.is(identityOf(pid)?.startTime, processStat(pid)[22]);
  t.true(identityOf(pid) !== undefined, 'it is no zombie');
  child.kill('SIGKILL');
  await ended(child);
  t.deepEqual(processStat(pid), {});
});
