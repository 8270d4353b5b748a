import { pki } from '@nodecore/api';
import test, { type ExecutionContext } from 'ava';

import { Machine } from '../src/index.ts';
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

const long = process.env['FAULT_CAMPAIGN'] === 'long';
const kills = long ? 20 : 1;
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
async function labels(machine: Machine): Promise<string[]> {
  const found: string[] = [];
  for (const device of machine.devices.values()) {
    const { stdout } = await machine.run(['sfdisk', '--json', device]);
    if (stdout.length === 0) continue; // no table
    const { partitiontable } = JSON.parse(stdout.toString()) as Table;
    found.push(...(partitiontable?.partitions ?? []).map(({ name = '' }) => name));
  }
  return found.sort();
}

type Node = { readonly machine: Machine; readonly port: number; readonly ca: Authority };

/**
 * Brings the node to the end of its configuration, whatever an earlier boot has left.
 *
 * @param configured it must have its configuration already.
 */
async function finish(
  { machine, port, ca }: Node,
  configured: boolean,
): Promise<ReadonlyMap<string, VolumeState>> {
  const agent = await NodeAgent.start(machine, port);
  try {
    if (agent.fingerprint !== undefined) {
      if (configured) throw new Error('the configuration was durable, and is gone');
      using stranger = agent.anybody();
      const data = Buffer.from(nodeDocuments(ca));
      await stranger.applyConfiguration({ data }, { timeoutMs: 180_000 });
    }
    using admin = await agent.as('os:admin', ca);
    return await volumesReady(admin, nodeVolumes);
  } catch (cause) {
    throw new Error(agent.lines.slice(-40).join('\n'), { cause });
  }
}

type Round = { readonly first: ReadonlyMap<string, VolumeState>; readonly round: number };

/** Cuts the power again, with nothing left to make: now everything must only be found. */
async function checkFound(t: ExecutionContext, node: Node, { first, round }: Round): Promise<void> {
  const { machine } = node;
  await machine.kill();
  await machine.boot();
  const second = await finish(node, true);
  for (const id of nodeVolumes) t.is(second.get(id)?.uuid, first.get(id)?.uuid, `${id} in round ${round}`);
  for (const name of ['fast', 'plain']) {
    t.is((await machine.run(['cat', `/var/mnt/${name}/file`])).stdout.toString(), `${round}\n`);
  }
}

test(`after a power cut at any moment of provisioning every volume comes to be, once (seed ${seed})`, async (t) => {
  t.timeout(kills * 600_000);
  const numbers = random(seed);
  const ca = await pki.createCA('nodecore');
  const data = Buffer.from(nodeDocuments(ca));
  let spanMs = 30_000; // what provisioning takes on this machine; measured below
  let answered = 0;
  for (let round = 1; round <= kills; round += 1) {
    const port = await freePort();
    const spec = nodeSpec({ name: 'provisioning-kill', uuid: crypto.randomUUID(), port });
    await using machine = await Machine.boot(spec);
    const node = { machine, port, ca };
    await install(machine);
    const agent = await NodeAgent.start(machine, port);
    using stranger = agent.anybody();
    const call = stranger.applyConfiguration({ data }, { timeoutMs: 180_000 }).then(
      () => true,
      () => false,
    );
    const delayMs = numbers.next().value * spanMs;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await machine.kill();
    stranger.close();
    const durable = await call;
    if (durable) answered += 1;

    await machine.boot();
    const started = performance.now();
    const first = await finish(node, durable);
    spanMs = Math.max(spanMs, performance.now() - started);
    t.deepEqual(await labels(machine), ['EPHEMERAL', 'META', 'STATE', 'u-fast', 'u-plain'], `round ${round}`);
    for (const name of ['fast', 'plain']) {
      const write = await machine.run(['sh', '-c', `echo ${round} > /var/mnt/${name}/file && sync`]);
      t.is(write.code, 0, write.stderr.toString());
    }
    if (long || round === kills) await checkFound(t, node, { first, round });
    const cut = `cut after ${Math.round(delayMs)} ms, ${durable ? 'after' : 'before'} the answer`;
    t.log(`round ${round}: ${cut}; ready ${seconds(started)} s after the boot`);
  }
  t.log(`seed ${seed}: ${kills} cuts, ${answered} after the answer`);
});
