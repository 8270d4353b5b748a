import { type Chaos, directions, hasEffects, hasUplink } from '@nodecore/lan';
import { runsKept } from '@nodecore/machine/kept';
import { codeOf } from '@nodecore/sys';

import { sizeOf } from './attached-disks.ts';
import { chaosOf } from './chaos.ts';
import { ClusterDirectory, clusterNames } from './directory.ts';
import { callKeeper } from './keeper/client.ts';
import type { KeptMachine } from './keeper/messages.ts';
import { runningKeeper } from './keeper/start.ts';
import { machineRuns } from './life.ts';
import { orchEndpointOf } from './orch-endpoint.ts';
import { userNetwork } from './plan.ts';
import { type Phase, readState } from './state.ts';

/** A machine of a cluster, for people and programs. */
export type NodeView = {
  readonly name: string;
  readonly type: string;
  readonly uuid: string;
  readonly ips: readonly string[];
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** What the machine does; `on` and `off` when nobody keeps it. */
  readonly state: string;
  /** `host:port` of its API on this computer. */
  readonly api: string;
  /** `host:port` on this computer where its power is switched by IPMI (UDP). */
  readonly ipmi?: string;
  /** What happens to its frames; absent when nothing does. */
  readonly chaos?: Chaos;
};

/** A cluster as it is. */
export type ClusterView = {
  readonly provisioner: 'vm' | 'container';
  readonly name: string;
  readonly phase: Phase;
  /** What ran its machines when they were switched on last; absent for containers, and before. */
  readonly accelerator?: 'kvm' | 'tcg';
  /** Whether its keeper runs; without it the host does not reach the nodes. */
  readonly kept: boolean;
  /** Whether it was finished; `create` with the same flags goes on with one that was not. */
  readonly ready: boolean;
  readonly network: {
    readonly name: string;
    readonly cidrs: readonly string[];
    readonly gateways: readonly string[];
    readonly mtu: number;
    /** How this computer reaches the nodes: always through doors, and by their addresses where it has a route to them. */
    readonly access: 'doors' | 'addresses';
  };
  /** URL of the orchestrator's API, as nodes have it. */
  readonly orchEndpoint: string;
  readonly nodes: readonly NodeView[];
  /** Where their power is switched by Redfish on this computer. */
  readonly redfish?: string;
};

/** A cluster as it is now. @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` */
export async function showCluster(directory: ClusterDirectory): Promise<ClusterView> {
  const plan = await directory.requirePlan();
  const { redfish } = plan;
  const { phase, ready, accelerator } = await readState(directory);
  const kept = (await runningKeeper(directory)) !== undefined;
  const machines = kept
    ? ((await callKeeper(directory, { method: 'reflect' }).catch(() => [])) as readonly KeptMachine[])
    : [];
  const chaos = await chaosOf(directory, plan);
  const nodes = plan.nodes.map(async (node): Promise<NodeView> => {
    const own = chaos[node.name] ?? {};
    const [system] = node.disks;
    const known = machines.find(({ name }) => name === node.name)?.state;
    return {
      name: node.name,
      type: plan.request.fleet === undefined ? node.type : 'machine',
      uuid: node.uuid,
      ips: [node.address, ...(node.address6 === undefined ? [] : [node.address6])],
      cpus: node.cpus,
      memoryBytes: node.memoryMib * 2 ** 20,
      diskBytes: system === undefined ? 0 : ((await sizeOf(directory, node, system)) ?? system.sizeBytes),
      state: known ?? ((await runsKept(directory.node(node))) ? 'on' : 'off'),
      api: `${node.door.address}:${node.door.port}`,
      ...(node.ipmi !== undefined && { ipmi: `${node.ipmi.address}:${node.ipmi.port}` }),
      ...(directions.some((each) => hasEffects(own[each])) && { chaos: own }),
    };
  });
  const { namespace, mtu, ...first } = plan.lan ?? { ...userNetwork, namespace: 'of its machine' };
  const networks = [first, ...(plan.lan?.ipv6 === undefined ? [] : [plan.lan.ipv6])];
  return {
    provisioner: plan.request.container === undefined ? 'vm' : 'container',
    name: directory.name,
    phase: await phaseNow(directory, phase, kept),
    ...(accelerator && { accelerator }),
    kept,
    ready,
    network: {
      name: namespace,
      cidrs: networks.map(({ cidr }) => cidr),
      gateways: networks.map(({ gateway }) => gateway),
      mtu,
      access: (await hasUplink(namespace)) ? 'addresses' : 'doors',
    },
    orchEndpoint: orchEndpointOf(plan),
    nodes: await Promise.all(nodes),
    ...(redfish !== undefined && { redfish: `https://${redfish.address}:${redfish.port}/redfish/v1/` }),
  };
}

/** The phase of a cluster, as far as what runs agrees: after a restart of the computer nothing does. */
export async function phaseNow(directory: ClusterDirectory, phase: Phase, kept: boolean): Promise<Phase> {
  return phase === 'running' && !kept && !(await machineRuns(directory)) ? 'stopped' : phase;
}

/** A cluster in a list. */
export type ListedCluster = {
  readonly name: string;
  /** `damaged` where files of its directory can't be read. */
  readonly phase: Phase | 'damaged';
  readonly ready: boolean;
  /** Planned machines. */
  readonly machines: number;
};

/** The clusters below a directory, half-made ones among them, by name. */
export async function listClusters(state: string): Promise<readonly ListedCluster[]> {
  const names = await clusterNames(state);
  return await Promise.all(
    names.map(async (name) => {
      const directory = new ClusterDirectory(state, name);
      try {
        return await listed(directory);
      } catch (error) {
        // The others are listed all the same; `show` says what is wrong with it.
        if (codeOf(error) !== 'ERR_CLUSTER_STATE') throw error;
        return { name, phase: 'damaged', ready: false, machines: 0 };
      }
    }),
  );
}

async function listed(directory: ClusterDirectory): Promise<ListedCluster> {
  const { phase, ready } = await readState(directory);
  const kept = (await runningKeeper(directory)) !== undefined;
  const machines = (await directory.plan())?.nodes.length ?? 0;
  return { name: directory.name, phase: await phaseNow(directory, phase, kept), ready, machines };
}
