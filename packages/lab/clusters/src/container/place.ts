import { join } from 'node:path';

import { consoleFile } from '@nodecore/machine/kept';

import type { ClusterDirectory } from '../directory.ts';
import type { ClusterPlan, PlannedNode } from '../plan.ts';

/** Where everything of a node's container lies. */
export type ContainerPlace = {
  /** Of its cgroup, its network namespace, and for the runtime. */
  readonly id: string;
  /** The node's directory, which is the bundle, too. */
  readonly path: string;
  /** The runtime's program. */
  readonly runtime: string;
  /** What that keeps of its containers. */
  readonly runtimeRoot: string;
  readonly bundle: string;
  readonly state: string;
  readonly data: string;
  readonly console: string;
  readonly pidFile: string;
  /** Gets how its first process has ended. */
  readonly endFile: string;
};

/** The place of a node's container. @throws {TypeError} for a node that is a machine. */
export function placeOf(
  { request }: ClusterPlan,
  node: PlannedNode,
  directory: ClusterDirectory,
): ContainerPlace {
  if (request.container === undefined || node.namespace === undefined)
    throw new TypeError(`${node.name} is no container`);
  const path = directory.node(node);
  return {
    id: node.namespace,
    path,
    runtime: request.container.runtime,
    runtimeRoot: join(path, 'runtime'),
    bundle: join(path, bundleName),
    state: join(path, 'state'),
    data: join(path, 'data'),
    console: join(path, consoleFile),
    pidFile: join(path, 'container.pid'),
    endFile: join(path, 'ended'),
  };
}

/** Of a node's directory; it has the node's configuration until the node has that. */
export const bundleName = 'config.json';
