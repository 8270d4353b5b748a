import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';

import { idle, secured, stalled, type Target } from './hostile-client.ts';

/** What a thread of hostile clients is told. */
export type CrowdOrder = {
  readonly target: Target;
  readonly crt: string;
  readonly key: string;
  /** Counts how often each kind has connected; shared. */
  readonly opened: Int32Array;
  readonly kinds: readonly { readonly kind: 'idle' | 'stalled' | 'role-less'; readonly count: number }[];
};

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
