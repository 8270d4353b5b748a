import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Client, decodeSpec } from '@nodecore/api';

import { startAgent } from './agent.ts';
import { limit } from './limit.ts';
import { runProgram, sparseFile } from './program.ts';
import type { Bench } from './question.ts';

const count = 7;
const flags = ['--unmount-on-exit', '--proof-limit=60', '--log-level=debug'];

/** What the agent keeps in memory when everything is mounted and nobody asks it for anything. */
export const bench: Bench = {
  prepare: async (stack) => {
    const devices: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const image = await sparseFile(stack, 512 << 20);
      const device = (await runProgram(['losetup', '--find', '--show', image])).trim();
      stack.defer(async () => void (await runProgram(['losetup', '--detach', device])));
      devices.push(device);
    }
    const documents = devices.map(volumeDocument).join('---\n');
    return [
      limit({
        name: 'agent-memory',
        question: `How much memory does an agent take at rest, with ${count} disks and a mounted volume on each?`,
        ours: 'VmRSS of the agent',
        budget: 150,
        unit: 'MiB',
        rounds: 7,
        sample: () => atRest(documents),
      }),
    ];
  },
};

function volumeDocument(device: string, n: number): string {
  return `apiVersion: v1alpha1
kind: UserVolumeConfig
name: v${n}
provisioning:
  diskSelector: {match: 'disk.dev_path == "${device}"'}
  minSize: 100MB
filesystem: {type: ext4}
`;
}

/** MiB that are resident, of a new agent whose volumes are ready, after it has given back what it does not use. */
async function atRest(documents: string): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const mountRoot = join(directory, 'root');
  const agent = await startAgent(stack, directory, {
    documents,
    flags: [...flags, `--mount-root=${mountRoot}`],
  });
  await allReady(agent.reader);
  await agent.gaveBack;
  const status = await readFile(`/proc/${agent.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

async function allReady(client: Client): Promise<void> {
  const ready = new Set<string>();
  for await (const { events } of client.watch({ type: 'VolumeStatuses.block.nodecore.dev' })) {
    for (const { resource } of events) {
      if (resource?.metadata === undefined) continue;
      const { phase } = decodeSpec(resource.spec) as { readonly phase: string };
      if (phase === 'ready') ready.add(resource.metadata.id);
    }
    if (ready.size >= count) return;
  }
}
