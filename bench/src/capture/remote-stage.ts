/**
 * A node with an agent, a user, and what carries packets from one to the other, over loopback. Runs as a child
 * (`unshare --net node remote-stage.ts`) and answers messages.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { startAgent } from '../agent.ts';
import { flood, layWire } from './flood.ts';
import { openOpenssl, writeCertificates } from './openssl-way.ts';
import { openOsctl, osconfigOf } from './osctl-way.ts';
import { processorNs } from './processor-time.ts';
import type { RemoteMeasured, RemoteRun } from './remote-protocol.ts';
import type { Way } from './remote-way.ts';

/** tcpdump asks for blocks after a second at the latest. */
const settleMs = 1300;

const stack = new AsyncDisposableStack();
process.once('disconnect', () => {
  void stack.disposeAsync().then(() => process.exit());
});
await layWire();
const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
stack.defer(() => rm(directory, { recursive: true, force: true }));
const agent = await startAgent(stack, directory);
const osconfig = await osconfigOf(agent, directory);
const certificates = await writeCertificates(agent.ca, directory);

process.on('message', (message: RemoteRun) => {
  void measure(message).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.send?.({ ready: true });

async function measure(what: RemoteRun): Promise<RemoteMeasured> {
  const { side, path, warmUp, count } = what;
  const way = await (side === 'ours' ? openOsctl(agent, osconfig, path) : openOpenssl(certificates, path));
  try {
    const send = async (frames: number): Promise<void> => {
      if (frames > 0) await flood(what, frames);
      await setTimeout(settleMs);
    };
    await send(warmUp);
    const before = await costOf(way);
    const sent = send(count);
    const arrivalNs = path === '/dev/null' ? undefined : await arrival(what);
    await sent;
    const after = await costOf(way);
    return {
      packets: await way.end(),
      nodeNs: (after.node - before.node) / count,
      userNs: (after.user - before.user) / count,
      ...(arrivalNs !== undefined && { arrivalNs }),
    };
  } finally {
    way.kill();
  }
}

/** The last ones may wait for a block of the ring to be full, or for its time: that says nothing of the way. */
const nearly = 0.99;
const fileHeader = 24;
const recordHeader = 16;
const longestMs = 20_000;

async function arrival({ path, warmUp, count, frameBytes }: RemoteRun): Promise<number> {
  const started = performance.now();
  const wanted = fileHeader + (warmUp + count * nearly) * (recordHeader + frameBytes);
  while ((await stat(path)).size < wanted) {
    if (performance.now() - started > longestMs) throw new Error(`${path}: packets are missing`);
    await setTimeout(1);
  }
  return ((performance.now() - started) * 1e6) / (count * nearly);
}

async function costOf(way: Way): Promise<{ readonly node: number; readonly user: number }> {
  return { node: await sumOf(way.nodePids), user: await sumOf(way.userPids) };
}

async function sumOf(pids: readonly number[]): Promise<number> {
  return (await Promise.all(pids.map(processorNs))).reduce((total, one) => total + one, 0);
}
