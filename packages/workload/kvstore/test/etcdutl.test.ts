import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { output, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { runEtcdutl } from '../src/restore/etcdutl.ts';

/** A program that says its process id through a pipe, ends only when it is killed, and keeps the pipe open until then. */
async function stubborn(t: ExecutionContext): Promise<{ program: string; pipe: string }> {
  const directory = await temporaryDirectory(t);
  const pipe = join(directory, 'pipe');
  await output(['mkfifo', pipe]);
  const program = join(directory, 'etcdutl');
  const script = `#!/bin/sh\ntrap '' TERM\nexec 3> ${pipe}\necho $$ >&3\nexec sleep 1000\n`;
  await writeFile(program, script, { mode: 0o700 });
  return { program, pipe };
}

/** What the stubborn program says; it is ended with the test, if nobody has done it before. */
async function pidOf(t: ExecutionContext, pipe: FileHandle): Promise<number> {
  const { buffer, bytesRead } = await pipe.read(Buffer.alloc(20), 0, 20);
  const pid = Number(buffer.toString('utf8', 0, bytesRead));
  t.teardown(() => {
    if (isThere(pid)) process.kill(pid, 'SIGKILL');
  });
  return pid;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('an aborted etcdutl is gone when the promise is rejected', async (t) => {
  const { program, pipe } = await stubborn(t);
  const stop = new AbortController();
  const running = runEtcdutl([], { etcdutl: program, signal: stop.signal });
  await using handle = await open(pipe, 'r');
  const pid = await pidOf(t, handle);
  stop.abort(new Error('enough'));
  await t.throwsAsync(running, { message: 'enough' });
  t.false(isThere(pid));
});

test('etcdutl ends with the process that started it', async (t) => {
  const { program, pipe } = await stubborn(t);
  const script = fileURLToPath(new URL('etcdutl-in-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', script, program], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await using handle = await open(pipe, 'r');
  await pidOf(t, handle);
  child.kill('SIGKILL');
  await ended;
  // The end of the pipe: nobody has it open any more.
  t.is((await handle.read(Buffer.alloc(1), 0, 1)).bytesRead, 0);
});

test('a program that is not there is told from one that fails', async (t) => {
  await t.throwsAsync(runEtcdutl([], { etcdutl: '/nowhere/etcdutl' }), {
    code: 'ERR_KVSTORE_UNSUPPORTED',
    message: /etcdutl.*is not there; install it/,
  });
  await t.throwsAsync(runEtcdutl([], { etcdutl: 'false' }), { code: 'ERR_KVSTORE_FAILED' });
});

test('of a program that panics its first words are told, else its last', async (t) => {
  const directory = await temporaryDirectory(t);
  const said = async (text: string): Promise<string> => {
    const program = join(directory, 'etcdutl');
    await writeFile(program, `#!/bin/sh\ncat >&2 <<'END'\n${text}\nEND\nexit 2\n`, { mode: 0o700 });
    const error = await t.throwsAsync(runEtcdutl([], { etcdutl: program }), { code: 'ERR_KVSTORE_FAILED' });
    return (error?.message ?? '').slice(`${program}: `.length);
  };
  const log = '{"level":"info","msg":"restoring"}';
  const stack = 'goroutine 1 [running]:\nmain.main()\n\tgo.etcd.io/etcd/etcdutl/main.go:23 +0x52';
  t.is(await said(`${log}\npanic: invalid page type: 0: 10\n\n${stack}`), 'panic: invalid page type: 0: 10');
  t.is(await said(`${log}\nunexpected fault\nfatal error: fault\n${stack}`), 'fatal error: fault');
  t.is(await said(`${log}\nError: data-dir "x" not empty`), 'Error: data-dir "x" not empty');
  t.is(await said(log), log);
  await t.throwsAsync(runEtcdutl(['a\0b'], { etcdutl: 'false' }), { code: 'ERR_KVSTORE_INVALID' });
});
