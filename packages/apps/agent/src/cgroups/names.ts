import { readdir } from 'node:fs/promises';

import type { CgroupNameInit } from '@nodecore/api/cgroup';
import {
  type CgroupName,
  type ContainerDirectory,
  containerNames,
  firstOf,
  type NameResolver,
  systemdUnits,
} from '@nodecore/cgroup';
import { codeOf } from '@nodecore/sys';

import type { Places } from './places.ts';

/** Who knows the names of cgroups on a node. Asked anew whenever cgroups came: what runs changes with them. */
export type FindResolver = () => Promise<NameResolver>;

/**
 * Units by their paths; pods and containers by their ids and the names of their logs, which kubelet keeps with any
 * runtime. No runtime is asked, so none can hold this up.
 */
export function localResolver(places: Pick<Places, 'podLogs' | 'containerLogs'>): FindResolver {
  return async () => firstOf(containerNames(await containerDirectory(places)), systemdUnits);
}

/** A name in the API's form. */
export function wireName(found: CgroupName | undefined): CgroupNameInit | undefined {
  if (found === undefined) return undefined;
  const { kind, name, id, runtime = '' } = found;
  return { kind, name, id, runtime };
}

async function containerDirectory({
  podLogs,
  containerLogs,
}: Pick<Places, 'podLogs' | 'containerLogs'>): Promise<ContainerDirectory> {
  const [pods, containers] = await Promise.all([namesIn(podLogs), namesIn(containerLogs)]);
  const podNames = new Map(
    pods.flatMap((name) => {
      const [, namespace, pod, uid] = /^([^_]+)_([^_]+)_([0-9a-f-]+)$/.exec(name) ?? [];
      return uid === undefined ? [] : [[uid, `${namespace}/${pod}`]];
    }),
  );
  const byContainer = new Map(
    containers.flatMap((name) => {
      const [, container, id] = /^[^_]+_[^_]+_([^_]+)-([0-9a-f]{64})\.log$/.exec(name) ?? [];
      return container === undefined || id === undefined ? [] : [[id, container]];
    }),
  );
  return { pod: (uid) => podNames.get(uid), container: (id) => byContainer.get(id) };
}

/** None where nothing of the kind runs. */
async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}
