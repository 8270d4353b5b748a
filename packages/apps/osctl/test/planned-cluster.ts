import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { ClusterDirectory, makePlan, type PlannedNode, readRequest } from '@nodecore/clusters';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

/** A cluster `example` in a state directory of its own, of which nothing runs. Its first machine has said something on its console. */
export async function plannedCluster(
  t: ExecutionContext,
  said: string,
): Promise<{ readonly state: string; readonly first: PlannedNode }> {
  const state = await temporaryDirectory(t);
  const request = readRequest({
    name: 'example',
    cidr: '10.5.0.0/24',
    controlplanes: '1',
    workers: '1',
    cpusControlplanes: '1',
    cpusWorkers: '1',
    memoryControlplanes: '768MiB',
    memoryWorkers: '768MiB',
    disks: ['virtio:4GiB'],
    presets: ['disk-image'],
    schematicId: 'a'.repeat(64),
    osVersion: 'v1.14.0-alpha.0',
    imageFactoryUrl: 'http://127.0.0.1:8081',
  });
  const plan = makePlan(request, '0'.repeat(32));
  const directory = new ClusterDirectory(state, 'example');
  await directory.make();
  await directory.store(plan);
  const first = plan.nodes[0]!;
  const console = directory.console(first);
  await mkdir(dirname(console), { recursive: true });
  await writeFile(console, said);
  return { state, first };
}
