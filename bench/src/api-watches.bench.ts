import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Client, connect as connectApi } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import { connect, put, watch } from '@nodecore/kvstore';
import { issueClient } from '@nodecore/pki';
import { etcd } from '@nodecore/testkit/etcd';

import { startAgent, configurationText } from './agent.ts';
import { ask, type Bench, type Side } from './question.ts';

const watches = 100;
const type = 'MachineConfigs.config.nodecore.dev';
const id = 'v1alpha1';

/** When each watch has heard of what happened last. */
class Round {
  #heard: number[] = [];
  #all = Promise.withResolvers<void>();

  readonly hear = (): void => {
    this.#heard.push(performance.now());
    if (this.#heard.length === watches) this.#all.resolve();
  };

  /** Has something happen. @returns milliseconds from the first that has heard to the last. */
  async spread(happen: () => Promise<unknown>): Promise<number> {
    this.#heard = [];
    this.#all = Promise.withResolvers();
    await Promise.all([happen(), this.#all.promise]);
    return (this.#heard.at(-1) ?? 0) - (this.#heard[0] ?? 0);
  }
}

function side(name: string, round: Round, happen: () => Promise<unknown>): Side<unknown> {
  return {
    name,
    run: async () => {
      await round.spread(happen);
      return watches; // each has heard
    },
    sample: () => round.spread(happen),
  };
}

/** What a change of a node costs that many callers follow, and one of a key of etcd that as many do. */
export const bench: Bench = {
  async prepare(stack) {
    return [
      ask({
        name: 'api-watches',
        question: `How long after the first of ${watches} watches does the last one hear of a change?`,
        gate: 1.5,
        ours: await ofNode(stack),
        peer: await ofEtcd(stack),
      }),
    ];
  },
};

async function ofNode(stack: AsyncDisposableStack): Promise<Side<unknown>> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const { ca, endpoint } = await startAgent(stack, directory);
  const client = connectApi({ endpoint, ca: ca.crt, ...(await issueClient(ca, { roles: ['os:admin'] })) });
  stack.defer(() => client.close());
  const round = new Round();
  const begun = Array.from({ length: watches }, () => follow(client, round.hear));
  await Promise.all(begun);
  let number = 0;
  return side('Client.watch', round, async () => {
    number += 1;
    const text = configurationText(ca, { sections: `cluster: {clusterName: n${number}}\n` });
    await client.applyConfiguration({ data: Buffer.from(text), mode: ApplyMode.NO_REBOOT });
  });
}

/** Resolves when the watch has seen what there is. */
async function follow(client: Client, hear: () => void): Promise<void> {
  const batches = client.watch({ type, id })[Symbol.asyncIterator]();
  await batches.next();
  const rest = async (): Promise<void> => {
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) hear();
  };
  rest().catch(() => {}); // the end of the client
}

async function ofEtcd(stack: AsyncDisposableStack): Promise<Side<unknown>> {
  const teardown = (end: () => unknown): void => {
    stack.defer(async () => {
      await end();
    });
  };
  const cluster = await etcd({ teardown }, { tls: true });
  const kvstore = await connect({ endpoints: cluster.endpoints, tls: cluster.tls });
  stack.defer(() => kvstore.close());
  const round = new Round();
  const revision = (await put(kvstore, id, 'first')) + 1n;
  const read = async (): Promise<void> => {
    for await (const _events of watch(kvstore, { key: id }, { revision })) round.hear();
  };
  for (let each = 0; each < watches; each += 1) read().catch(() => {}); // the end of the client
  let number = 0;
  return side('etcd watch', round, async () => {
    number += 1;
    await put(kvstore, id, JSON.stringify({ clusterName: `n${number}`, padding: 'x'.repeat(400) }));
  });
}
