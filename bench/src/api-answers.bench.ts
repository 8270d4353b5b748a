import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { decodeSpec, definitionType } from '@nodecore/api';
import { connect, get, type Kvstore, put } from '@nodecore/kvstore';
import { etcd } from '@nodecore/testkit/etcd';

import { startAgent } from './agent.ts';
import { ask, type Bench, type Side } from './question.ts';

const calls = 300;
/** How many wait at once where the question is how many are answered. */
const crowd = 50;
const id = definitionType.toLowerCase();

/** Asks so often, so many at once. @returns microseconds a call, by the clock on the wall. */
async function timed(question: () => Promise<unknown>, atOnce: number): Promise<number> {
  const startMs = performance.now();
  let left = calls;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await question();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return ((performance.now() - startMs) * 1_000) / calls;
}

function side(name: string, question: () => Promise<string>, atOnce: number): Side<unknown> {
  return { name, run: question, sample: () => timed(question, atOnce) };
}

/** What a resource of a node costs over its API, and a value of the same bytes out of etcd: both by gRPC, with certificates on both sides. */
export const bench: Bench = {
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const { reader } = await startAgent(stack, directory);
    const ours = async (): Promise<string> => {
      const { resource } = await reader.get({ type: definitionType, id });
      return JSON.stringify(decodeSpec(resource?.spec ?? new Uint8Array()));
    };
    const kvstore = await store(stack);
    await put(kvstore, id, await ours());
    const theirs = async (): Promise<string> => Buffer.from((await get(kvstore, id))?.value ?? '').toString();
    return [
      ask({
        name: 'api-answer',
        question: 'How long does a caller wait for a resource of a node, and for as many bytes out of etcd?',
        unit: 'µs',
        gate: 2,
        ours: side('Client.get', ours, 1),
        peer: side('etcd range', theirs, 1),
      }),
      ask({
        name: 'api-answers',
        question: `What is that of each call where ${crowd} wait at once, on one connection?`,
        unit: 'µs',
        gate: 2,
        ours: side('Client.get', ours, crowd),
        peer: side('etcd range', theirs, crowd),
      }),
    ];
  },
};

async function store(stack: AsyncDisposableStack): Promise<Kvstore> {
  const teardown = (end: () => unknown): void => {
    stack.defer(async () => {
      await end();
    });
  };
  const cluster = await etcd({ teardown }, { tls: true });
  const kvstore = await connect({ endpoints: cluster.endpoints, tls: cluster.tls });
  stack.defer(() => kvstore.close());
  return kvstore;
}
