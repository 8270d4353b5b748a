import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type LargeRelease,
  largeRelease,
  type ServingFactory,
  startServing,
} from './image/serving-factory.ts';
import { limit } from './limit.ts';
import type { Bench } from './question.ts';

const many = 100;
const few = 10;
/** Of each download, before it is cut: more than sockets hold. */
const takenBytes = 40 << 20;
/** For whoever takes nothing: what the kernel holds is full by then. */
const stallMs = 3_000;

/** A connection that has asked for the image. */
async function asking({ image }: ServingFactory): Promise<Socket> {
  const { hostname, port, pathname } = new URL(image);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}); // it is cut
  await once(socket, 'connect');
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  return socket;
}

async function take(socket: Socket): Promise<void> {
  let taken = 0;
  for await (const chunk of socket) {
    taken += (chunk as Buffer).length;
    if (taken >= takenBytes) return;
  }
}

async function stall(socket: Socket): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, stallMs));
  socket.destroy();
}

/** The most MiB that a factory had in memory during so many downloads at once. */
async function peakMib(
  factory: ServingFactory,
  count: number,
  client: (socket: Socket) => Promise<void>,
): Promise<number> {
  await writeFile(`/proc/${factory.pid}/clear_refs`, '5'); // the peak counts from here
  await Promise.all(Array.from({ length: count }, async () => await client(await asking(factory))));
  const status = await readFile(`/proc/${factory.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** MiB by which a new factory grows for each download beyond ten. */
async function growth(release: LargeRelease, place: string): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const factory = await startServing(stack, release, join(place, 'growing'));
  const before = await peakMib(factory, few, take);
  return ((await peakMib(factory, many, take)) - before) / (many - few);
}

/** What a factory needs while many download: the same process for all samples, so that what it never gives back is seen. */
export const bench: Bench = {
  async prepare(stack) {
    const place = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(async () => await rm(place, { recursive: true, force: true }));
    const release = await largeRelease(place);
    const factory = await startServing(stack, release, join(place, 'storage'));
    const most = { ours: 'VmHWM of the factory', unit: 'MiB', rounds: 7 };
    return [
      limit({
        name: 'image-memory',
        question: `How much memory does a factory take at ${many} downloads at once?`,
        ...most,
        budget: 300,
        sample: async () => await peakMib(factory, many, take),
      }),
      limit({
        name: 'image-memory-slow',
        question: `How much memory does a factory take at ${many} downloads whose clients take nothing?`,
        ...most,
        budget: 300,
        sample: async () => await peakMib(factory, many, stall),
      }),
      limit({
        name: 'image-memory-growth',
        question: `By how much does a new factory grow for each download from ${few} to ${many} at once?`,
        ...most,
        budget: 1,
        sample: async () => await growth(release, place),
      }),
    ];
  },
};
