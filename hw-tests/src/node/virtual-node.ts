import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  callKeeper,
  changeState,
  ClusterDirectory,
  type ClusterPlan,
  type ClusterRequest,
  destroyCluster,
  keepCluster,
  type KeptMachine,
  machineRuns,
  planCluster,
  readRequest,
  startKeeper,
  stopCluster,
} from '@nodecore/clusters';
import { systemClock } from '@nodecore/waiting';

import { rigCache } from '../paths.ts';
import { rigAccelerator } from '../rig-boot.ts';
import { kvmBoots } from '../trial.ts';
import { bootFiles, guestInspectPort } from './boot-files.ts';
import { isAdministrated, type NodeSecrets } from './credentials.ts';
import { requireFreePort } from './free-port.js';
import type { ServingNode } from './serving-node.ts';
import type { StartOptions } from './start-options.ts';

/** The cluster of one that `npm start` makes, and its only machine. */
export const virtualNode = 'virtual-node';
const cache = join(rigCache, 'images');
const pollMs = 500;

/** The directory of the node's cluster in that of `npm start`. */
export function virtualDirectory(state: string): ClusterDirectory {
  return new ClusterDirectory(state, virtualNode);
}

/** The port of its API on loopback; undefined when it was never planned. */
export async function virtualPort(directory: ClusterDirectory): Promise<number | undefined> {
  return (await directory.plan())?.nodes[0]?.door.port;
}

/** The port on loopback where a debugger of its agent is attached. */
export async function virtualInspectPort(directory: ClusterDirectory): Promise<number | undefined> {
  const { forwards = [] } = (await directory.plan())?.request ?? {};
  return forwards.find(({ guest }) => guest === guestInspectPort)?.host;
}

/** Whether it is on. A keeper that was killed is started again. */
export async function virtualNodeRuns(directory: ClusterDirectory): Promise<boolean> {
  await keepCluster(directory, cache);
  return await machineRuns(directory);
}

/** Makes the node, or switches on the one that is there, with the release of this checkout. */
export async function switchOn(
  { directory: state, port, fresh, inspectPort }: StartOptions,
  say: (line: string) => void,
): Promise<void> {
  const directory = virtualDirectory(state);
  if (fresh && (await directory.exists())) {
    say('the former node is taken away');
    await destroyCluster(directory);
  }
  await requireFreePort(port);
  if (inspectPort !== undefined) await requireFreePort(inspectPort);
  const accelerator = await rigAccelerator({ name: virtualNode }, () => kvmBoots(undefined));
  // Not a name that a cluster beside it could have.
  const image = await bootFiles(join(state, '.boot'), accelerator, {
    isDebugged: inspectPort !== undefined,
    onStep: (step) => say(`release: ${step}`),
  });
  const forwards = inspectPort === undefined ? [] : [{ host: inspectPort, guest: guestInspectPort }];
  const there = await directory.plan();
  const plan = there ?? (await plannedNow({ ...request(), image, accelerator, forwards }, state, port));
  await directory.store(withNow(plan, { image, accelerator, forwards }, port));
  await startKeeper(directory, cache);
  await callKeeper(directory, { method: 'create' }, { onStatus: say });
  await changeState(directory, { ready: true });
}

/** Presses its power button, and takes it away from the power after a minute. Its disks stay. */
export async function switchOff(directory: ClusterDirectory): Promise<void> {
  await stopCluster(directory, cache, { graceMs: 60_000 });
}

async function plannedNow(wanted: ClusterRequest, state: string, port: number): Promise<ClusterPlan> {
  await using planned = await planCluster(wanted, state, { port });
  return planned.plan;
}

/** A port may be asked for anew, and another release may have other arguments; all else of a plan stays. */
function withNow(
  plan: ClusterPlan,
  now: Pick<ClusterRequest, 'image' | 'accelerator' | 'forwards'>,
  port: number,
): ClusterPlan {
  const nodes = plan.nodes.map((node) => ({ ...node, door: { address: '127.0.0.1', port } }));
  return { ...plan, request: { ...plan.request, ...now }, nodes };
}

/** A TPM, a system disk, and one disk each for what a selector can tell apart. */
function request(): Omit<ClusterRequest, 'image'> {
  return {
    ...readRequest({
      name: virtualNode,
      cidr: '10.0.2.0/24',
      controlplanes: '1',
      workers: '0',
      cpusControlplanes: '1',
      cpusWorkers: '1',
      memoryControlplanes: '2GiB',
      memoryWorkers: '2GiB',
      disks: ['virtio:6GiB:serial=NODE-SYSTEM', 'nvme:2GiB:serial=NODE-NVME', 'scsi:2GiB:serial=NODE-SCSI'],
      presets: ['disk-image'],
      schematicId: '0'.repeat(64),
      osVersion: 'v1.14.0-alpha.0',
      imageFactoryUrl: 'http://127.0.0.1:8081',
      withUefi: false,
    }),
    tpm: true,
    network: 'user',
    sharedDisks: 3,
  };
}

/**
 * Waits until the node's agent serves: its administrator, or in maintenance, where it says the fingerprint of its certificate
 * on its console.
 *
 * @throws {Error} with the end of its console when it went off meanwhile.
 */
export async function untilVirtualServes(
  directory: ClusterDirectory,
  secrets: NodeSecrets,
  signal: AbortSignal,
): Promise<ServingNode> {
  const port = (await virtualPort(directory)) ?? 0;
  for (;;) {
    const said = await readFile(directory.console({ index: 1 }), 'latin1').catch(() => ''); // not there yet
    // A connection costs an emulated processor much, which begins its work meanwhile.
    const isActive = said.includes('configuration is active');
    if (isActive && (await isAdministrated(virtualNode, secrets, port, signal)))
      return { port, phase: 'configured' };
    const fingerprint = /maintenance on port \d+: .*--cert-fingerprint (\S+)/.exec(said)?.[1];
    if (!isActive && fingerprint !== undefined) return { port, phase: 'maintenance', fingerprint };
    const [machine] = (await callKeeper(directory, { method: 'reflect' }, { signal })) as KeptMachine[];
    if (machine?.state === 'off' || machine?.state === 'crashed') {
      const words = machine.lastLines ?? said.trimEnd().split('\n').slice(-10).join('\n');
      throw new Error(`${virtualNode} went off: ${words}`);
    }
    await systemClock.sleep(pollMs, signal);
  }
}
