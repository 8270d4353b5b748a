import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { Client } from '@nodecore/api';
import type { Process } from '@nodecore/api/process';

import { startAgent } from './agent.ts';
import { runProgram } from './program.ts';
import { ask, type Bench } from './question.ts';

const count = 1000;
const columns = ['pid', 'state', 'nlwp', 'vsz', 'rss', 'euid', 'ni', 'comm', 'args'];

/** What it costs to learn what runs on a node, over its API, and by the program that people use on the node itself. */
export const bench: Bench = {
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const { reader } = await startAgent(stack, directory);
    const parent = await idleProcesses(stack);
    return [
      ask<readonly string[]>({
        name: 'processes',
        question: `How long does a caller of the API wait for every process, with ${count} that do nothing beside those of the machine, and how long does ps run there?`,
        gate: 1.5,
        ours: { name: 'activity.processes', run: () => ours(reader, parent) },
        peer: { name: `ps -eo ppid,${columns.join(',')}`, run: () => theirs(parent) },
      }),
    ];
  },
};

async function ours({ activity }: Client, parent: number): Promise<readonly string[]> {
  const all: Process[] = [];
  for await (const { processes } of activity.processes()) all.push(...processes);
  return all
    .filter(({ ppid, args }) => ppid === parent && args[0] === 'sleep')
    .map((each) => {
      const { pid, state, threads, virtualMemory, residentMemory, uid, nice, command, args } = each;
      const sizes = [virtualMemory / 1024n, residentMemory / 1024n];
      return [pid, state, threads, ...sizes, uid, nice, command, ...args].join(' ');
    });
}

async function theirs(parent: number): Promise<readonly string[]> {
  const format = ['ppid', ...columns].flatMap((column) => ['-o', `${column}=`]);
  const text = await runProgram(['ps', '-ww', '-e', ...format]);
  return text.split('\n').flatMap((line) => {
    const [ppid, ...words] = line.trim().split(/\s+/u);
    return Number(ppid) === parent && words.at(-2) === 'sleep' ? [words.join(' ')] : [];
  });
}

/** @returns the parent of all of them. */
async function idleProcesses(stack: AsyncDisposableStack): Promise<number> {
  const all = `i=0; while [ $i -lt ${count} ]; do sleep 100000 & all="$all $!" i=$((i+1)); done`;
  // Each is a copy of the shell at first, and has to become what it is.
  const wait = `until [ "$(ps --ppid $$ -o comm= | grep -c '^sleep$')" = ${count} ]; do :; done`;
  const script = `${all}; ${wait}; echo ready; read -r end; kill $all`;
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  stack.defer(async () => {
    const ended = once(shell, 'exit');
    shell.stdin.end('\n');
    await ended;
  });
  await once(createInterface({ input: shell.stdout }), 'line');
  return shell.pid ?? 0;
}
