import { ApiError, connect, listAll } from '@nodecore/api';
import { callKeeper, type ClusterDirectory, type ClusterPlan, type PlannedNode } from '@nodecore/clusters';
import { codeOf, type Secret } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { imageWords, layersOf } from './image-words.ts';
import type { MachineWatch } from './watch-machines.ts';

/** What is waited for, and who hears of it. */
export type Waiting = {
  readonly directory: ClusterDirectory;
  readonly plan: ClusterPlan;
  readonly say: (line: string) => void;
  readonly watch: Pick<MachineWatch, 'stageOf'>;
  /** Aborted when the time is over, or a machine is dead. */
  readonly signal: AbortSignal;
  readonly administrator: Administrator;
};

/** The administrator of a cluster. */
export type Administrator = { readonly ca: string; readonly crt: string; readonly key: Secret };

/** Containers answer within seconds; a machine would spend as much on more questions as on its work. */
const pollMs = { container: 200, machine: 1000 } as const;

/**
 * Gives every node its configuration as soon as it serves in maintenance, and says what it started from; one that has it already
 * answers its administrator.
 */
export async function untilConfigured(
  waiting: Waiting,
  configurations: ReadonlyMap<string, string>,
): Promise<void> {
  await Promise.all(
    waiting.plan.nodes.map(async (node) => {
      const data = Buffer.from(configurations.get(node.name) ?? '');
      let isShown = false;
      await again(waiting, node, 'waits for its API', async (signal) => {
        if (waiting.plan.request.injection !== undefined) {
          const refusal = await refusalOf(waiting, node);
          if (refusal === undefined) return;
          throw refusal;
        }
        try {
          await using client = connect({ endpoint: endpointOf(node), insecure: true });
          if (!isShown) {
            const type = 'ExtensionStatuses.runtime.nodecore.dev';
            const { resources } = await listAll(client, { type }, { signal });
            waiting.say(`${node.name} is in maintenance: ${imageWords(layersOf(resources))}`);
            isShown = true;
          }
          // STATE is made, encrypted and mounted before the answer.
          const told = await client.applyConfiguration({ data }, { timeoutMs: 180_000, signal });
          if (told.modeDetails !== '') waiting.say(`${node.name}: ${told.modeDetails}`);
        } catch (error) {
          // What the first call met says more than what the second does.
          const isConfigured = async (): Promise<boolean> => (await refusalOf(waiting, node)) === undefined;
          if (codeOf(error) === 'ERR_API_INVALID' || !(await isConfigured())) throw error;
        }
      });
      if (waiting.plan.request.injection !== undefined) {
        const call = { method: 'configured', nodes: [node.name] } as const;
        await callKeeper(waiting.directory, call, { signal: waiting.signal });
      }
      waiting.say(`${node.name} has its configuration`);
    }),
  );
}

/** What keeps a node from answering its administrator; undefined when it does. */
async function refusalOf({ administrator, signal }: Waiting, node: PlannedNode): Promise<Error | undefined> {
  try {
    await using client = connect({ endpoint: endpointOf(node), ...administrator });
    await client.version({ signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Of a call that failed, in words; a node that has no configuration yet has none of our certificates. */
function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  if (!['ERR_API_UNTRUSTED', 'ERR_API_UNAUTHENTICATED'].includes(codeOf(error) ?? '')) return words;
  return `its API is up, and the certificate is refused: ${words}`;
}

/**
 * Begins the kvstore on the first node, and waits until all of the control plane are members with a vote.
 *
 * @param waits false: once it has begun, the others join while nobody looks.
 */
export async function untilKvstore(waiting: Waiting, waits = true): Promise<void> {
  const { administrator } = waiting;
  const members = waiting.plan.nodes.filter(({ type }) => type === 'controlplane');
  const [first] = members;
  if (first === undefined) return;
  // One connection for all the questions: another one each second would cost the node as much as its work.
  await using client = connect({ endpoint: endpointOf(first), ...administrator });
  const beginsItself = waiting.plan.request.settings?.initNode === true;
  await again(waiting, first, 'waits to begin the kvstore', async (signal) => {
    if (beginsItself) return;
    try {
      for await (const { message } of client.kvstore.bootstrap({}, { signal }))
        waiting.say(`${first.name}: ${message}`);
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'ERR_MEMBER_HAS_DATA')) throw error;
    }
  });
  if (!waits) return;
  await again(waiting, first, 'waits for the members of the kvstore', async (signal) => {
    const found = (await client.kvstore.members({ signal })).members;
    const voting = found.filter(({ isLearner }) => !isLearner).length;
    if (voting < members.length) throw new Error(`${voting} of ${members.length} members have a vote`);
  });
  waiting.say(`kvstore: ${members.length} ${members.length === 1 ? 'member' : 'members'}`);
}

/** Tries until it succeeds, and says how far the node is. A configuration that is refused ends it. */
async function again(
  { plan, say, signal, watch }: Waiting,
  node: PlannedNode,
  what: string,
  attempt: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  let said = '';
  for (;;) {
    try {
      return await attempt(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (codeOf(error) === 'ERR_API_INVALID') throw error;
      const line = `${node.name} ${watch.stageOf(node.name)}, ${what}: ${reasonOf(error)}`;
      if (line !== said) say(line);
      said = line;
    }
    await systemClock.sleep(pollOf(plan), signal);
  }
}

export function pollOf({ request }: ClusterPlan): number {
  return pollMs[request.container === undefined ? 'machine' : 'container'];
}

function endpointOf({ door }: PlannedNode): string {
  return `${door.address}:${door.port}`;
}
