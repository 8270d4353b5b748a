import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { ExecutionContext } from 'ava';
import test from 'ava';

import { temporaryDirectory } from '@nodecore/testkit';

import { firstProgram } from '../src/first-program.ts';

const agent = fileURLToPath(new URL('supervised-agent.mjs', import.meta.url));

type Supervised = {
  readonly child: ChildProcess;
  /** Resolves when the log has this text so many times. */
  readonly says: (text: string, times?: number) => Promise<void>;
  /** What would have become of the machine. */
  readonly ending: Promise<string>;
  /** Process ids of the agent's lives. */
  readonly lives: () => Promise<readonly number[]>;
};

/** PID 1's loop over an agent that does this, and may take so many seconds to start. */
async function supervise(t: ExecutionContext, what: string, startSeconds?: number): Promise<Supervised> {
  const directory = await temporaryDirectory(t);
  const [words, lives] = [join(directory, 'agent.arguments'), join(directory, 'lives')];
  await writeFile(words, `# how it is started\n${[process.execPath, agent, what, lives].join('\n')}\n`);
  await writeFile(lives, '');
  const start = startSeconds === undefined ? [] : [String(startSeconds)];
  const child = spawn(await firstProgram('test'), [words, ...start], { stdio: ['ignore', 'pipe', 'pipe'] });
  const pids = async (): Promise<readonly number[]> =>
    (await readFile(lives, 'utf8')).split('\n').filter(Boolean).map(Number);
  t.teardown(async () => {
    child.kill('SIGKILL');
    for (const pid of await pids()) kill(pid);
  });
  let [log, wake] = ['', Promise.withResolvers<void>()];
  child.stderr?.on('data', (bytes) => {
    log += String(bytes);
    wake.resolve();
    wake = Promise.withResolvers();
  });
  const says = async (text: string, times = 1): Promise<void> => {
    while (log.split(text).length <= times) await wake.promise;
  };
  let printed = '';
  child.stdout?.on('data', (bytes) => (printed += String(bytes)));
  const ending = once(child, 'close').then(() => printed);
  return { child, says, ending, lives: pids };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

test('an agent that dies is started again, knows why, and what it asks for happens', async (t) => {
  const { says, ending, lives } = await supervise(t, 'dies');
  await says('agent: the one before: none');
  await says('init: the agent ended with 3');
  await says('init: the agent is started again in 1 s');
  await says('agent: life 2');
  await says('agent: the one before: ended with 3');
  t.is(await ending, 'orderly poweroff\n');
  t.is((await lives()).length, 2);
});

test('an agent has one channel and hears of the power button and of ctrl-alt-del', async (t) => {
  const { child, says, ending } = await supervise(t, 'listens');
  await says('agent: sockets 3\n');
  await says('agent: listens');
  await says('init: the agent says what is not known here: what nobody knows');
  child.kill('SIGTERM');
  await says('agent: heard power-button');
  await says('agent: listens', 2);
  child.kill('SIGINT');
  await says('agent: heard ctrl-alt-del');
  t.is(await ending, 'orderly reboot\n');
});

test('a machine whose agent does not run goes off when its button is pressed', async (t) => {
  const { child, says, ending } = await supervise(t, 'dies');
  await says('init: the agent is started again in 1 s');
  child.kill('SIGTERM');
  t.is(await ending, 'orderly poweroff\n');
});

test('an agent that hangs before its first heartbeat is ended, and a boot in which none is heard has failed', async (t) => {
  const { says, ending, lives } = await supervise(t, 'hangs', 1);
  await says('init: the agent has been silent for 1 s: it is ended with a report');
  await says('init: the agent was ended because it was silent for 1 s');
  t.is(await ending, 'failed: no agent was heard for 3 s\n');
  t.is((await lives()).length, 2, 'the next one was tried');
});

test('an end that waits for nothing is another word', async (t) => {
  const { ending } = await supervise(t, 'is forced');
  t.is(await ending, 'at once poweroff\n');
});

test('keys that are pressed again and again reach the agent each time, and the seventh ctrl-alt-del ends the machine whatever the agent does', async (t) => {
  const { child, says, ending } = await supervise(t, 'insists');
  for (const [at, signal] of (['SIGTERM', 'SIGTERM', 'SIGINT'] as const).entries()) {
    await says('agent: listens', at + 1);
    child.kill(signal);
  }
  await says('agent: heard power-button', 2);
  await says('agent: heard ctrl-alt-del');
  await says('agent: is tired');
  while (child.exitCode === null) {
    child.kill('SIGINT');
    await setImmediate();
  }
  t.is(await ending, 'at once reboot\n');
});

test('processes without a parent are reaped, ten thousand at a time', async (t) => {
  const { says, ending } = await supervise(t, 'leaves orphans');
  await says('agent: is the only child');
  t.is(await ending, 'orderly poweroff\n');
});
