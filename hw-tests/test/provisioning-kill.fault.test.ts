import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';

import { RigMachine } from '../src/index.ts';
import {
  type Authority,
  freePort,
  install,
  NodeAgent,
  nodeDocuments,
  nodeSpec,
  nodeVolumes,
  type VolumeState,
  volumesReady,
} from './agent-node.ts';

/** Power cuts in all: 1 in every run, 10 in the long campaign; POWER_CUTS says another number. */
const cuts = Number(process.env['POWER_CUTS'] ?? (process.env['FAULT_CAMPAIGN'] === 'long' ? 10 : 1));
/** Of one machine, one after the other, before it may come to the end of its configuration. */
const cutsPerMachine = 4;
const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Numbers in [0, 1) that look random and are the same for the same seed. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1);

type Table = { readonly partitiontable?: { readonly partitions?: readonly { readonly name?: string }[] } };

/** The labels of all partitions of a machine, as a tool that knows nothing of us reads them. */
async function labels(machine: RigMachine): Promise<string[]> {
  const found: string[] = [];
  for (const device of machine.devices.values()) {
    const { stdout } = await machine.run(['sfdisk', '--json', device]);
    if (stdout.length === 0) continue; // no table
    const { partitiontable } = JSON.parse(stdout.toString()) as Table;
    found.push(...(partitiontable?.partitions ?? []).map(({ name = '' }) => name));
  }
  return found.sort();
}

type Node = { readonly machine: RigMachine; readonly port: number; readonly ca: Authority };

/** An agent on its way to the end of the node's configuration, whatever an earlier boot has left. */
type Way = {
  readonly agent: NodeAgent;
  /** Whether the node has promised to keep the configuration; settles when it answers or is cut off. */
  readonly durable: Promise<boolean>;
};

/**
 * Starts the agent, and hands it the configuration where it has none.
 *
 * @param configured it must have its configuration already.
 */
async function begin({ machine, port, ca }: Node, configured: boolean): Promise<Way> {
  const agent = await NodeAgent.start(machine, port);
  if (agent.fingerprint === undefined) return { agent, durable: Promise.resolve(true) };
  if (configured) throw new Error('the configuration was durable, and is gone');
  const stranger = agent.anybody();
  const data = Buffer.from(nodeDocuments(ca));
  const durable = stranger
    .applyConfiguration({ data }, { timeoutMs: 180_000 })
    .then(
      () => true,
      () => false,
    )
    .finally(() => stranger.close());
  return { agent, durable };
}

/** Brings the node to the end of its configuration. */
async function finish(node: Node, configured: boolean): Promise<ReadonlyMap<string, VolumeState>> {
  const { agent, durable } = await begin(node, configured);
  try {
    if (!(await durable)) throw new Error('the configuration was refused');
    using admin = await agent.as('os:admin', node.ca);
    return await volumesReady(admin, nodeVolumes);
  } catch (cause) {
    throw new Error(agent.lines.slice(-40).join('\n'), { cause });
  }
}

type Found = { readonly first: ReadonlyMap<string, VolumeState>; readonly round: number };

/** Cuts the power again, with nothing left to make: now everything must only be found. */
async function checkFound(t: ExecutionContext, node: Node, { first, round }: Found): Promise<void> {
  const { machine } = node;
  await machine.kill();
  await machine.boot();
  const second = await finish(node, true);
  for (const id of nodeVolumes) t.is(second.get(id)?.uuid, first.get(id)?.uuid, `${id} of machine ${round}`);
  for (const name of ['fast', 'plain']) {
    t.is((await machine.run(['cat', `/var/mnt/${name}/file`])).stdout.toString(), `${round}\n`);
  }
}

/** Cuts the power after each delay, and boots after each cut. @returns when the configuration had become durable. */
async function cutAgainAndAgain(node: Node, delaysMs: readonly number[]): Promise<boolean[]> {
  const { machine } = node;
  const durable: boolean[] = [];
  for (const delayMs of delaysMs) {
    const way = await begin(node, durable.at(-1) ?? false);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await machine.kill();
    durable.push(await way.durable);
    await machine.boot();
  }
  return durable;
}

test(`after power cuts at any moments of provisioning every volume comes to be, once (seed ${seed})`, async (t) => {
  t.timeout(cuts * 600_000);
  const numbers = random(seed);
  const ca = await pki.createCA('nodecore');
  let spanMs = 30_000; // what provisioning takes on this machine; measured below
  let [done, answered] = [0, 0];
  for (let round = 1; done < cuts; round += 1) {
    const port = await freePort();
    const spec = nodeSpec({ name: 'provisioning-kill', uuid: crypto.randomUUID(), port });
    await using machine = await RigMachine.boot(spec);
    const node = { machine, port, ca };
    await install(machine);
    const count = Math.min(cutsPerMachine, cuts - done);
    const delaysMs = Array.from({ length: count }, () => Math.round(numbers.next().value * spanMs));
    const durable = await cutAgainAndAgain(node, delaysMs);
    done += count;
    answered += durable.filter(Boolean).length;

    const started = performance.now();
    const first = await finish(node, durable.at(-1) ?? false);
    spanMs = Math.max(spanMs, performance.now() - started);
    t.deepEqual(
      await labels(machine),
      ['EPHEMERAL', 'META', 'STATE', 'u-fast', 'u-plain'],
      `machine ${round}`,
    );
    for (const name of ['fast', 'plain']) {
      const write = await machine.run(['sh', '-c', `echo ${round} > /var/mnt/${name}/file && sync`]);
      t.is(write.code, 0, write.stderr.toString());
    }
    await checkFound(t, node, { first, round });
    const moments = delaysMs.map((ms, cut) => `${ms} ms${durable[cut] ? '' : ' (before the answer)'}`);
    t.log(
      `machine ${round}: cut after ${moments.join(', ')}; ready ${seconds(started)} s after the last boot`,
    );
  }
  t.log(`seed ${seed}: ${done} cuts, ${answered} after the configuration was durable`);
});
