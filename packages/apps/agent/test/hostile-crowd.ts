import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';

import type { CrowdOrder } from './crowd-order.ts';
import { idle, secured, stalled } from './hostile-client.ts';

/** How long one that was hung up on stays away. */
const pauseMs = 500;

setPriority(0); // of this thread

const { target, crt, key, kinds, opened } = workerData as CrowdOrder;

const openers: Readonly<Record<CrowdOrder['kinds'][number]['kind'], () => Socket>> = {
  idle: () => idle(target),
  stalled: () => stalled(target),
  'role-less': () => secured(target, { crt, key }),
};

function add(index: number, kind: CrowdOrder['kinds'][number]['kind']): void {
  const socket = openers[kind]();
  Atomics.add(opened, index, 1);
  socket.on('error', () => {});
  socket.resume();
  socket.once('close', () => setTimeout(() => add(index, kind), pauseMs));
}

for (const [index, { kind, count }] of kinds.entries())
  for (let each = 0; each < count; each += 1) add(index, kind);
