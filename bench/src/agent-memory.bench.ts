import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { type Client, decodeSpec } from '@nodecore/api';

import { startAgent } from './agent.ts';
import { callers, mostUnderLoad, watchesOfEach } from './agent-load.ts';
import { limit } from './limit.ts';
import { runProgram, sparseFile } from './program.ts';
import type { Bench } from './question.ts';

const count = 7;
const flags = ['--unmount-on-exit', '--proof-limit=60'];
/** V8 looks for garbage of the start some time after it, later where others use the processors: the least of a minute is at rest. */
const restMs = 60_000;
const lookMs = 2_000;

/** What the agent keeps in memory when everything is mounted and nobody asks it for anything, and when many do. */
export const bench: Bench = {
  prepare: async () => {
    return [
      limit({
        name: 'agent-memory',
        question: `How much memory does an agent take at rest, with ${count} disks and a mounted volume on each?`,
        ours: 'VmRSS of the agent',
        budget: 160,
        unit: 'MiB',
        rounds: 3,
        sample: atRest,
      }),
      limit({
        name: 'agent-memory-load',
        question: `How much memory does an agent take at most while ${callers} callers follow all its types ${watchesOfEach} times each, and ask without a pause?`,
        ours: 'largest VmRSS of the agent',
        budget: 400,
        unit: 'MiB',
        rounds: 3,
        sample: () => mostUnderLoad(residentMib),
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

/** MiB that are resident, of a new agent whose volumes have been ready for a while. */
async function atRest(): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const documents: string[] = [];
  for (let n = 0; n < count; n += 1) documents.push(volumeDocument(await newDisk(stack), n));
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const mountRoot = join(directory, 'root');
  const agent = await startAgent(stack, directory, {
    documents: documents.join('---\n'),
    flags: [...flags, `--mount-root=${mountRoot}`],
  });
  await allReady(agent.reader);
  let leastMib = Infinity;
  for (let waited = 0; waited < restMs; waited += lookMs) {
    await setTimeout(lookMs);
    leastMib = Math.min(leastMib, await residentMib(agent.pid));
  }
  return leastMib;
}

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** The path of an empty disk of half a GiB. */
async function newDisk(stack: AsyncDisposableStack): Promise<string> {
  const image = await sparseFile(stack, 512 << 20);
  const device = (await runProgram(['losetup', '--find', '--show', image])).trim();
  // The kernel keeps partitions of a loop device that was detached: its next disk would be one that is in use.
  const forget = async (): Promise<void> => {
    await runProgram(['delpart', device, '1']).catch(() => {}); // there is none
  };
  await forget();
  stack.defer(async () => {
    await forget();
    await runProgram(['losetup', '--detach', device]);
  });
  return device;
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
