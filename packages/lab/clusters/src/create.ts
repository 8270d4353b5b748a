import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { hostAddress, parseCidr } from '@nodecore/lan';

import { ClusterDirectory } from './directory.ts';
import { sectorProblem } from './disk-copy.ts';
import { ClusterError } from './errors.ts';
import { type ClusterLock, lockMaking } from './lock.ts';
import { type ClusterPlan, makePlan, usualDoor } from './plan.ts';
import { apiPort, ipmiPort, redfishPort } from './ports.ts';
import { withPossibleMachines } from './possible-machines.ts';
import { hasOwnFactory, withOwnFactory } from './own-factory.ts';
import { requireCluster } from './place.ts';
import { freeDoor, freePort, freeUdp, portProblems, preflightProblems } from './preflight.ts';
import type { ClusterRequest } from './request.ts';
import { readState } from './state.ts';

/** A cluster that is being made by this process. */
export type PlannedCluster = AsyncDisposable & {
  readonly directory: ClusterDirectory;
  readonly plan: ClusterPlan;
  /** Whether an earlier process began it, and was killed. */
  readonly continued: boolean;
};

export type PlanOptions = {
  /** Where this computer reaches the API of a machine on QEMU's own network: a port of 127.0.0.1. */
  readonly port?: number;
  /** Its machines may have more memory than there is; default false. */
  readonly overcommits?: boolean;
};

/**
 * Plans a cluster on this computer, and stores the plan: from here on it is there, and can be destroyed. One that an
 * earlier process began with the same request is gone on with. Nobody else makes it until the result is disposed of.
 *
 * @param state parent of the clusters' directories.
 * @throws {ClusterError} `ERR_CLUSTER_REQUEST` for machines that there can't be, `ERR_CLUSTER_PREFLIGHT` with all that this
 *   computer lacks, before anything is made; `ERR_CLUSTER_EXISTS`;
 *   `ERR_CLUSTER_STATE` where a directory has its name that is no cluster's.
 */
export async function planCluster(
  request: ClusterRequest,
  state: string,
  { port, overcommits = false }: PlanOptions = {},
): Promise<PlannedCluster> {
  const directory = new ClusterDirectory(state, request.name);
  if (await directory.exists()) await requireCluster(directory.path);
  withPossibleMachines(request);
  const lacking = preflightProblems(request, { overcommits });
  const problems = lacking.length > 0 ? lacking : await imageProblems(request);
  if (problems.length > 0) throw new ClusterError('ERR_CLUSTER_PREFLIGHT', problems.join('\n'));
  await directory.make();
  const lock = await lockMaking(directory);
  try {
    const there = await directory.plan();
    if (there !== undefined) await assertUnfinished(directory, there, request);
    if (there === undefined) {
      const taken = await portProblems(request); // one that goes on may have them itself
      if (taken.length > 0) throw new ClusterError('ERR_CLUSTER_PREFLIGHT', taken.join('\n'));
    }
    const plan = there ?? (await newPlan(request, port));
    if (there === undefined) await directory.store(plan);
    return { directory, plan, continued: there !== undefined, [Symbol.asyncDispose]: dispose(lock) };
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

/** Of a packed image it is known when it is unpacked. */
async function imageProblems({ image, disks: [system] }: ClusterRequest): Promise<readonly string[]> {
  if (!('path' in image)) return [];
  return [(await sectorProblem(image.path, system?.sectorSize)) ?? []].flat();
}

function dispose(lock: ClusterLock): () => Promise<void> {
  return async () => await lock[Symbol.asyncDispose]();
}

async function assertUnfinished(
  directory: ClusterDirectory,
  { request: before }: ClusterPlan,
  request: ClusterRequest,
): Promise<void> {
  const { ready, phase } = await readState(directory);
  const next = `osctl cluster destroy --name ${directory.name}`;
  if (ready || phase === 'destroying')
    throw new ClusterError('ERR_CLUSTER_EXISTS', `cluster ${directory.name} is there already: ${next}`);
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(request)), before)) return;
  const words = `cluster ${directory.name} is there, half made with other flags: create it with the same, or ${next}`;
  throw new ClusterError('ERR_CLUSTER_EXISTS', words);
}

async function newPlan(request: ClusterRequest, port: number | undefined): Promise<ClusterPlan> {
  const id = randomBytes(16).toString('hex');
  if (request.network === 'user')
    return makePlan(request, id, () => ({ address: '127.0.0.1', port: port ?? apiPort }));
  const addresses: string[] = [];
  makePlan(request, id, (address) => {
    addresses.push(address);
    return usualDoor(address);
  });
  const doors = new Map(
    await Promise.all(addresses.map(async (address) => [address, await freeDoor(address)] as const)),
  );
  const planned = makePlan(request, id, (address) => doors.get(address) ?? usualDoor(address));
  const managed = request.ipmi === true ? await withControllers(planned) : planned;
  const plan = hasOwnFactory(request) ? withOwnFactory(managed, await freePort()) : managed;
  if (request.redfish !== true || plan.lan === undefined) return plan;
  const gateway = hostAddress(parseCidr(request.cidr) ?? { address: plan.lan.gateway, length: 24 }, 1);
  return { ...plan, redfish: await freeDoor(gateway, redfishPort) };
}

/** Each node's controller is where its API is, as this computer reaches it. */
async function withControllers(plan: ClusterPlan): Promise<ClusterPlan> {
  const nodes = plan.nodes.map(async (node) => {
    return { ...node, ipmi: await freeUdp({ address: node.door.address, port: ipmiPort }) };
  });
  return { ...plan, nodes: await Promise.all(nodes) };
}
