import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { Client } from '@nodecore/api';
import { type Socket, SocketFilter } from '@nodecore/api/socket';

import { startAgent } from './agent.ts';
import { limit } from './limit.ts';
import { runProgram } from './program.ts';
import { ask, type Bench, type Question } from './question.ts';

const count = 10_000;
/** Those of the bench, and not what the machine has besides. */
const address = '127.77.0.1';

/** What it costs to learn of ten thousand sockets of a node, over its API, and by the program that people use on the node itself. */
export const bench: Bench = {
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const { reader } = await startAgent(stack, directory);
    const owner = await manySockets(stack);
    return [
      question('netstat', reader, { owner, processes: false, gate: 2 }),
      question('netstat-programs', reader, { owner, processes: true, gate: 1 }),
      limit({
        name: 'netstat-beside',
        question: `How long does another caller wait at the worst while ${count} sockets and their owners are sent?`,
        ours: 'counters.loadAverage beside activity.sockets',
        budget: 50,
        sample: () => worstBeside(reader),
      }),
    ];
  },
};

type Asked = { readonly owner: number; readonly processes: boolean; readonly gate: number };

function question(name: string, reader: Client, { owner, processes, gate }: Asked): Question {
  const words = processes ? ', with the processes that have them open' : '';
  const program = ['ss', processes ? '-Huanp' : '-Huan'] as const;
  return ask<readonly string[]>({
    name,
    question: `How long does a caller of the API wait for ${count} sockets of UDP${words}, and how long does ss run there?`,
    gate,
    ours: {
      name: 'activity.sockets',
      run: async () =>
        sorted(
          (await udpSockets(reader, processes)).map(({ localAddress, localPort, processes: owners }) => [
            `${localAddress}:${localPort}`,
            processes && owners[0]?.pid === owner,
          ]),
        ),
    },
    peer: {
      name: program.join(' '),
      run: async () =>
        sorted(
          (await runProgram(program))
            .split('\n')
            .map((line) => [line.split(/\s+/u)[3] ?? '', line.includes(`pid=${owner},`)]),
        ),
    },
  });
}

/** Addresses of our sockets, and whether their owner was told. */
function sorted(all: readonly (readonly [local: string, isOwned: boolean])[]): readonly string[] {
  return all
    .filter(([local]) => local.startsWith(`${address}:`))
    .map((words) => words.join(' '))
    .toSorted();
}

async function udpSockets({ activity }: Client, processes: boolean): Promise<Socket[]> {
  const found: Socket[] = [];
  const request = { protocols: ['udp'], filter: SocketFilter.ALL, processes };
  for await (const { sockets } of activity.sockets(request)) found.push(...sockets);
  return found;
}

async function worstBeside(reader: Client): Promise<number> {
  const done = new AbortController();
  const all = udpSockets(reader, true).finally(() => done.abort());
  let worst = 0;
  while (!done.signal.aborted) {
    const began = performance.now();
    await reader.counters.loadAverage();
    worst = Math.max(worst, performance.now() - began);
  }
  await all;
  return worst;
}

/** @returns the process that has them all. */
async function manySockets(stack: AsyncDisposableStack): Promise<number> {
  const script =
    `for $i (1..${count}) { socket($s[$i], AF_INET, SOCK_DGRAM, 0) or die $!; ` +
    `bind($s[$i], pack_sockaddr_in(20000 + $i, inet_aton("${address}"))) or die $! }`;
  const run = `ulimit -n ${count + 1000} && exec perl -MSocket -e '$|=1; ${script} print "ready\n"; <STDIN>'`;
  const child = spawn('sh', ['-c', run], { stdio: ['pipe', 'pipe', 'inherit'] });
  stack.defer(async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  });
  await once(createInterface({ input: child.stdout }), 'line');
  return child.pid ?? 0;
}
