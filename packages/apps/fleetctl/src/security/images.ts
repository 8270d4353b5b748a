import { decodeSpec, listAll } from '@nodecore/api';
import { UsageError } from '@nodecore/cli';
import { type FleetClient, machineStatuses, type MachineStatusSpec } from '@nodecore/fleet-api';

import { FleetctlError } from '../errors.ts';

/** An image, and the machines that run it. */
export type Image = {
  readonly version: string;
  readonly schematic: string;
  readonly architecture: string;
  /** Their ids; none for an image that was named itself. */
  readonly machines: readonly string[];
};

/** What images are asked about. */
export type Asked = {
  /** Name of a cluster; its machines. */
  readonly cluster: string | undefined;
  /** Ids of machines, or what no other one has: a host name, a UUID. */
  readonly machines: readonly string[];
  readonly version: string | undefined;
  readonly schematic: string | undefined;
  readonly architecture: string;
};

/** What of the machines is known, and which say too little of themselves. */
export type Found = { readonly images: readonly Image[]; readonly unknown: readonly string[] };

/** @throws {UsageError} for flags that don't go together. */
export function checkAsked({ cluster, machines, version, schematic }: Asked): void {
  if ((version === undefined) !== (schematic === undefined))
    throw new UsageError('--os-version and --schematic go together');
  if (version !== undefined && (cluster !== undefined || machines.length > 0))
    throw new UsageError('--os-version names an image: no cluster, and no --machine beside it');
  if (cluster !== undefined && machines.length > 0) throw new UsageError('a cluster, or --machine: not both');
}

/**
 * The images that are asked about: the one that is named, or those that machines run.
 *
 * @throws {FleetctlError} `ERR_FLEETCTL_NO_MACHINE`.
 */
export async function findImages(client: FleetClient, asked: Asked, signal: AbortSignal): Promise<Found> {
  const { version, schematic, architecture } = asked;
  if (version !== undefined && schematic !== undefined)
    return { images: [{ version, schematic, architecture, machines: [] }], unknown: [] };
  const { type, defaultNamespace: namespace } = machineStatuses;
  const { resources } = await listAll(client, { type, namespace }, { signal });
  const all = resources.map(({ metadata, spec }) => ({
    id: metadata?.id ?? '',
    status: decodeSpec(spec) as MachineStatusSpec,
  }));
  const chosen = choose(all, asked);
  const images = new Map<string, Image>();
  const unknown: string[] = [];
  for (const { id, status } of chosen) {
    const { osVersion, schematic: own } = status;
    if (osVersion === undefined || own === undefined) {
      unknown.push(id);
      continue;
    }
    const key = `${osVersion} ${own.fullId}`;
    const machines = [...(images.get(key)?.machines ?? []), id];
    images.set(key, { version: osVersion, schematic: own.fullId, architecture, machines });
  }
  return { images: [...images.values()], unknown };
}

type Machine = { readonly id: string; readonly status: MachineStatusSpec };

function choose(all: readonly Machine[], { cluster, machines }: Asked): readonly Machine[] {
  if (machines.length > 0) return machines.map((name) => named(all, name));
  const found = cluster === undefined ? all : all.filter(({ status }) => status.cluster === cluster);
  if (found.length > 0) return found;
  throw new FleetctlError(
    'ERR_FLEETCTL_NO_MACHINE',
    cluster === undefined ? 'the fleet has no machines' : `no machine is in a cluster ${cluster}`,
  );
}

function named(all: readonly Machine[], name: string): Machine {
  const found = all.filter(({ id, status: { uuid, hostname } }) => [id, uuid, hostname].includes(name));
  const [machine, other] = found;
  if (machine === undefined)
    throw new FleetctlError('ERR_FLEETCTL_NO_MACHINE', `there is no machine ${name}`);
  if (other !== undefined)
    throw new UsageError(`--machine: "${name}" are several: ${found.map(({ id }) => id).join(', ')}`);
  return machine;
}
