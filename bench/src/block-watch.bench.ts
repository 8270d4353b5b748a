import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { agentReadyMs, programsReadyMs } from './block/ready.ts';
import { GrowingDisk } from './block/growing-disk.ts';
import { AgentSizes, ProgramSizes, type Sizes } from './block/sizes.ts';
import { startAgent } from './agent.ts';
import { loopFarm } from './loop-farm.ts';
import { ask, type Bench } from './question.ts';

const disks = 100;

export const bench: Bench = {
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true }));
    const { nodes } = await loopFarm(stack, disks);
    const disk = await GrowingDisk.attach(stack, directory);
    const { reader } = await startAgent(stack, directory);
    const ours = stack.use(new AgentSizes(reader));
    const peer = stack.use(new ProgramSizes());
    const noticed = async (sizes: Sizes): Promise<number> => {
      const size = disk.nextSize();
      const known = sizes.until(disk.id, size);
      const started = performance.now();
      await disk.grow();
      await known;
      return performance.now() - started;
    };
    const answer = async (sizes: Sizes): Promise<boolean> => {
      await noticed(sizes);
      return true;
    };
    return [
      ask({
        name: 'block-watch-latency',
        question: `How long after a disk has grown is its new size known, with ${disks} disks?`,
        gate: 1,
        rounds: 101,
        ours: { name: 'agent, watch of Disks', run: () => answer(ours), sample: () => noticed(ours) },
        peer: {
          name: 'udevadm monitor, then lsblk -O -J + blkid -p',
          run: () => answer(peer),
          sample: () => noticed(peer),
        },
      }),
      ask({
        name: 'block-watch-ready',
        question: `How long does it take a new agent to know ${disks} disks and what is on them?`,
        gate: 1,
        ours: {
          name: 'agent, from listening to discovery ready',
          run: async () => (await agentReadyMs(directory)) > 0,
          sample: () => agentReadyMs(directory),
        },
        peer: {
          name: 'lsblk -O -J + blkid -p',
          run: async () => (await programsReadyMs(nodes)) > 0,
          sample: () => programsReadyMs(nodes),
        },
      }),
    ];
  },
};
