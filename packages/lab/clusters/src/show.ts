import { runsKept } from '@nodecore/machine';

import type { ClusterDirectory } from './directory.ts';
import { callKeeper } from './keeper/client.ts';
import type { KeptMachine } from './keeper/messages.ts';
import { runningKeeper } from './keeper/start.ts';
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
};

/** A cluster as it is. */
export type ClusterView = {
  readonly provisioner: 'vm';
  readonly name: string;
  readonly phase: Phase;
  /** Whether its keeper runs; without it the host does not reach the nodes. */
  readonly kept: boolean;
  readonly network: {
    readonly name: string;
    readonly cidrs: readonly string[];
    readonly gateways: readonly string[];
    readonly mtu: number;
  };
  readonly nodes: readonly NodeView[];
};

/** What there is of a cluster. @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` */
export async function showCluster(directory: ClusterDirectory): Promise<ClusterView> {
  const plan = await directory.requirePlan();
  const { phase } = await readState(directory);
  const kept = (await runningKeeper(directory)) !== undefined;
  const machines = kept
    ? ((await callKeeper(directory, { method: 'reflect' }).catch(() => [])) as readonly KeptMachine[])
    : [];
  const nodes = plan.nodes.map(async (node): Promise<NodeView> => {
    const known = machines.find(({ name }) => name === node.name)?.state;
    return {
      name: node.name,
      type: node.type,
      uuid: node.uuid,
      ips: [node.address],
      cpus: node.cpus,
      memoryBytes: node.memoryMib * 2 ** 20,
      diskBytes: node.disks[0]?.sizeBytes ?? 0,
      state: known ?? ((await runsKept(directory.node(node))) ? 'on' : 'off'),
      api: `${node.door.address}:${node.door.port}`,
    };
  });
  const { cidr, gateway, namespace, mtu } = plan.lan;
  return {
    provisioner: 'vm',
    name: directory.name,
    phase,
    kept,
    network: { name: namespace, cidrs: [cidr], gateways: [gateway], mtu },
    nodes: await Promise.all(nodes),
  };
}
