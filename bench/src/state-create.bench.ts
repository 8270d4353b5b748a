import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { connect } from '@nodecore/kvstore';
import type { State } from '@nodecore/state';
import { etcdState } from '@nodecore/state-etcd';
import { sqliteState } from '@nodecore/state/sqlite';
import { etcd } from '@nodecore/testkit/etcd';

import { ask, type Bench, type Side } from './question.ts';

const [total, writers] = [2048, 64];
/** With what is known of it, about as large as the middle one of a fleet's resources. */
const spec = { text: 'x'.repeat(500), numbers: Array.from({ length: 20 }, (_, index) => index) };

/** Creates resources of a kind that is new each time. @returns milliseconds. */
async function create(state: State, type: string): Promise<number> {
  const startMs = performance.now();
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < total) {
      const id = String(next).padStart(5, '0');
      next += 1;
      await state.create({ namespace: 'bench', type, id }, spec, { owner: 'bench', labels: { id } });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return performance.now() - startMs;
}

function side(name: string, state: State): Side<unknown> {
  let kinds = 0;
  const newType = (): string => {
    kinds += 1;
    return `Kind${kinds}s.bench.nodecore.dev`;
  };
  return {
    name,
    run: async () => {
      const type = newType();
      await create(state, type);
      const { resources } = await state.list({ namespace: 'bench', type });
      return resources.map(({ metadata: { id, version, labels }, spec }) => ({ id, version, labels, spec }));
    },
    sample: async () => ((await create(state, newType())) * 1000) / total,
  };
}

export const bench: Bench = {
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(async () => await rm(directory, { recursive: true, force: true }));
    const sqlite = stack.use(await sqliteState(join(directory, 'state.db')));
    const cluster = await etcd(
      { teardown: (end) => stack.defer(async () => await end()) },
      { durable: true },
    );
    const kvstore = stack.use(await connect({ endpoints: cluster.endpoints }));
    return [
      ask({
        name: 'state-create',
        question: `How long does a durable create take when ${writers} wait for theirs, in a file and in etcd on loopback?`,
        unit: 'µs',
        gate: 0.33,
        ours: side('state/sqlite', sqlite),
        peer: side('state-etcd', stack.use(etcdState(kvstore))),
      }),
    ];
  },
};
