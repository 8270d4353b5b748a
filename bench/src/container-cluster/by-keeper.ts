/**
 * A cluster of a control plane and a worker in containers by a keeper, once for each line on standard input: until both take connections,
 * and until all is gone. Says the milliseconds of both, as JSON.
 *   by-keeper.ts HOME IMAGE
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import {
  callKeeper,
  destroyCluster,
  planCluster,
  readContainerRequest,
  startKeeper,
} from '@nodecore/clusters';
import { writeFileAtomic } from '@nodecore/sys';

import type { Times } from './times.ts';

const [home = '', image = ''] = process.argv.slice(2);

/** As in the script of podman: what waits is there before, and starts no program, which would take time from what is waited for. */
const untilAll =
  'exec 4<> <(:); for address; do until { exec 3<>"/dev/tcp/$address/50000"; } 2>/dev/null; do read -rt 0.02 -u 4 || true; done; done';
const whenTold =
  'read -r namespace addresses && exec nsenter --net="/run/netns/$namespace" -- bash -c "$0" bash $addresses';

for await (const _line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await times()));

async function times(): Promise<Times> {
  const request = readContainerRequest(
    {
      name: 'bench',
      subnet: '10.182.0.0/24',
      mtu: '1500',
      controlplanes: '1',
      workers: '1',
      cpusControlplanes: '2',
      cpusWorkers: '2',
      memoryControlplanes: '512MiB',
      memoryWorkers: '512MiB',
      exposedPorts: [],
      hostIp: '127.0.0.1',
      image,
      osVersion: 'v1.14.0-alpha.0',
      mount: [],
    },
    '/usr/bin/crun',
  );
  const cache = join(home, 'cache');
  const waits = spawn('bash', ['-c', whenTold, untilAll], { stdio: ['pipe', 'ignore', 'inherit'] });
  const began = performance.now();
  await using cluster = await planCluster(request, join(home, 'clusters'));
  const { directory, plan } = cluster;
  let created = Number.NaN;
  try {
    // No node has a configuration: all serve in maintenance, as podman's do.
    await mkdir(directory.secrets, { recursive: true });
    for (const { name } of plan.nodes) await writeFileAtomic(join(directory.secrets, `${name}.yaml`), '');
    await startKeeper(directory, cache);
    await callKeeper(directory, { method: 'create' });
    const answered = once(waits, 'exit');
    waits.stdin.end(`${[plan.lan?.namespace, ...plan.nodes.map(({ address }) => address)].join(' ')}\n`);
    const [code] = (await answered) as [number | null];
    created = performance.now();
    if (code !== 0) throw new Error(`who waits for the nodes ended with ${code}`);
  } catch (error) {
    await destroyCluster(directory);
    throw error;
  }
  await destroyCluster(directory);
  return { create: created - began, destroy: performance.now() - created };
}
