import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Client, connect, definitionType } from '@nodecore/api';
import { issueClient } from '@nodecore/pki';

import { startAgent } from './agent.ts';

export const callers = 10;
export const watchesOfEach = 100;
const loadMs = 20_000;

/**
 * What is the most of a new agent while callers follow all its types and ask it one call after the other.
 *
 * @param measure is asked with each answer, for the process of the agent.
 */
export async function mostUnderLoad(measure: (pid: number) => Promise<number>): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const { ca, endpoint, pid } = await startAgent(stack, directory);
  const clients = await Promise.all(
    Array.from({ length: callers }, async () => {
      const client = connect({ endpoint, ca: ca.crt, ...(await issueClient(ca, { roles: ['os:reader'] })) });
      stack.defer(() => client.close());
      return client;
    }),
  );
  await Promise.all(clients.flatMap((client) => Array.from({ length: watchesOfEach }, () => follow(client))));
  let most = 0;
  const end = performance.now() + loadMs;
  const ask = async (client: Client): Promise<void> => {
    while (performance.now() < end) {
      await client.version();
      for await (const _ of client.list({ type: definitionType }));
    }
  };
  const look = async (): Promise<void> => {
    while (performance.now() < end) {
      most = Math.max(most, await measure(pid));
      await clients[0]?.version();
    }
  };
  await Promise.all([look(), ...clients.map(ask)]);
  return most;
}

/** Resolves when the watch has seen what there is, and goes on. */
async function follow(client: Client): Promise<void> {
  const batches = client.watch({ type: definitionType })[Symbol.asyncIterator]();
  await batches.next();
  const rest = async (): Promise<void> => {
    while ((await batches.next()).done !== true);
  };
  rest().catch(() => {}); // the end of the client
}
