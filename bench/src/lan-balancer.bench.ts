import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { haproxy, unpackHaproxy } from './lan/haproxy.ts';
import { limit } from './limit.ts';
import { ask, type Bench } from './question.ts';
import { quantile } from './statistics.ts';

const host = '127.0.0.1';
const program = fileURLToPath(new URL('lan/balancer.ts', import.meta.url));
const wholeBytes = 256 << 20;
const turns = 1000;

/** What the balancer of a network costs who comes through it, against haproxy. Both have processes of their own, and two targets. */
export const bench: Bench = {
  async prepare(stack) {
    const missing = await unpackHaproxy();
    if (missing !== undefined) {
      console.error(`lan-balancer is left out, as haproxy can't be unpacked here: ${missing}`);
      return [];
    }
    const targets = [await target(stack), await target(stack)];
    const ours = await startOurs(stack, targets);
    const peer = await startHaproxy(stack, targets);
    return [
      ask({
        name: 'lan-balancer',
        question: 'How long do 256 MiB take through the balancer of a network?',
        gate: 1.67,
        ours: { name: 'the balancer of @nodecore/lan', run: () => receive(ours) },
        peer: { name: 'haproxy in mode tcp', run: () => receive(peer) },
      }),
      limit({
        name: 'lan-balancer-delay',
        question: 'By how much is the p99 of a byte there and back longer than through haproxy?',
        ours: 'the balancer of @nodecore/lan',
        budget: 0.3,
        rounds: 7,
        sample: async () => Math.max(0, (await worst(ours)) - (await worst(peer))),
      }),
    ];
  },
};

/** Sends all that it has to who says `a`, and every other byte back. */
async function target(stack: AsyncDisposableStack): Promise<number> {
  const piece = Buffer.alloc(1 << 20);
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {}); // who asked has enough
    socket.on('data', (data) => {
      if (data.toString('latin1') === 'a') void send(socket, piece);
      else socket.write(data);
    });
  });
  return await listening(stack, server);
}

async function send(socket: Socket, piece: Buffer): Promise<void> {
  for (let sent = 0; sent < wholeBytes; sent += piece.length)
    if (!socket.write(piece)) await once(socket, 'drain');
  socket.end();
}

async function listening(stack: AsyncDisposableStack, server: Server): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  stack.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** The balancer in a process of its own, without a network around it. */
async function startOurs(stack: AsyncDisposableStack, targets: readonly number[]): Promise<number> {
  const child = fork(program, targets.map(String), { execArgv: ['--conditions=source'] });
  stack.defer(() => void child.kill('SIGKILL'));
  const [port] = (await once(child, 'message')) as [number];
  return port;
}

async function startHaproxy(stack: AsyncDisposableStack, targets: readonly number[]): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const port = await freePort();
  const config = join(directory, 'haproxy.cfg');
  const servers = targets.map((each, at) => `  server s${at} ${host}:${each} check inter 1s`);
  await writeFile(
    config,
    `defaults
  mode tcp
  balance leastconn
  timeout connect 1s
  timeout client 1m
  timeout server 1m
listen all
  bind ${host}:${port}
${servers.join('\n')}
`,
  );
  const [file, ...words] = [...haproxy, '-db', '-f', config] as const;
  const child = spawn(file, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  stack.defer(() => void child.kill('SIGKILL'));
  for (;;) {
    if (child.exitCode !== null) throw new Error('haproxy ended at once');
    const socket = connect(port, host);
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return port;
  }
}

async function freePort(): Promise<number> {
  await using stack = new AsyncDisposableStack();
  return await listening(stack, createServer());
}

/** How much came. */
async function receive(port: number): Promise<number> {
  const socket = connect(port, host);
  socket.write('a');
  let received = 0;
  for await (const data of socket) received += (data as Buffer).length;
  return received;
}

/** p99 of a byte there and back over a connection that is there, in milliseconds. */
async function worst(port: number): Promise<number> {
  const socket = connect({ port, host, noDelay: true });
  await once(socket, 'connect');
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const began = performance.now();
    socket.write('b');
    await once(socket, 'data');
    times.push(performance.now() - began);
  }
  socket.destroy();
  return quantile(times, 0.99);
}
