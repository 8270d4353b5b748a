import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { codeOf, makeDirectory, makeUserDirectory, writeFileAtomic } from '@nodecore/sys';

import { isClusterName } from './cluster-name.ts';
import { ClusterError } from './errors.ts';
import type { ClusterPlan, PlannedNode } from './plan.ts';
import { requireOwn, writePlace } from './place.ts';

/** The directory of one cluster, below that of all. Only its owner can look into it. */
export class ClusterDirectory {
  readonly name: string;
  readonly path: string;

  /** @throws {ClusterError} `ERR_CLUSTER_REQUEST` for a name that is none. */
  constructor(state: string, name: string) {
    if (!isClusterName(name))
      throw new ClusterError('ERR_CLUSTER_REQUEST', `${JSON.stringify(name)} is no name of a cluster`);
    this.name = name;
    this.path = join(resolve(state), name);
  }

  get lan(): string {
    return join(this.path, 'lan');
  }

  /** For what machines start from that is on no disk of theirs. */
  get boot(): string {
    return join(this.path, 'boot');
  }

  /** For what nobody else may read: each file 0600. */
  get secrets(): string {
    return join(this.path, 'secrets');
  }

  /** Of containers, where they have another one than those of other clusters. */
  get root(): string {
    return join(this.path, 'root');
  }

  /** For what the nodes reach by NFS. */
  get shared(): string {
    return join(this.path, 'shared');
  }

  /** Of a volume that containers share. */
  volume(name: string): string {
    return join(this.path, 'volumes', name);
  }

  /** Of a machine: its disks, TPM, console. */
  node({ index }: Pick<PlannedNode, 'index'>): string {
    return join(this.path, 'nodes', String(index));
  }

  /** Directories of all machines that were begun. */
  async nodes(): Promise<readonly string[]> {
    const nodes = join(this.path, 'nodes');
    return (await entries(nodes)).map((name) => join(nodes, name));
  }

  /** Whether there is something of the cluster. */
  async exists(): Promise<boolean> {
    return await access(this.path).then(
      () => true,
      () => false,
    );
  }

  /** Makes it, as far as it is not there. */
  async make(): Promise<void> {
    await makeUserDirectory(dirname(this.path)); // of all clusters
    for (const path of [this.path, this.secrets, join(this.path, 'nodes')]) await makeDirectory(path);
  }

  /** Stores the plan, whole or not at all. @throws {ClusterError} `ERR_CLUSTER_STATE` in a copy of another cluster. */
  async store(plan: ClusterPlan): Promise<void> {
    await requireOwn(this.path);
    await writePlace(this.path);
    await writeFileAtomic(join(this.path, 'plan.json'), `${JSON.stringify(plan, undefined, 2)}\n`);
  }

  /** The file of a machine's console. */
  console(node: Pick<PlannedNode, 'index'>): string {
    return join(this.node(node), 'console.log');
  }

  /** What a machine has sent of its services, as lines of JSON. */
  services(node: Pick<PlannedNode, 'index'>): string {
    return join(this.node(node), 'services.log');
  }

  /** The plan; undefined when creation ended before it. @throws {ClusterError} `ERR_CLUSTER_STATE` */
  async plan(): Promise<ClusterPlan | undefined> {
    const path = join(this.path, 'plan.json');
    try {
      const plan = JSON.parse(await readFile(path, 'utf8')) as Partial<ClusterPlan> | null;
      if (plan?.layout === 1 && plan.request !== undefined && Array.isArray(plan.nodes))
        return plan as ClusterPlan;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new ClusterError('ERR_CLUSTER_STATE', `${path} is no plan of this version`);
  }

  /**
   * The plan of a cluster that is there.
   *
   * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`, with the names of those that are; `ERR_CLUSTER_STATE` when its
   * creation ended before it was planned.
   */
  async requirePlan(): Promise<ClusterPlan> {
    if (!(await this.exists())) throw await this.notFound();
    const plan = await this.plan();
    if (plan !== undefined) return plan;
    const next = `create it again, or osctl cluster destroy --name ${this.name}`;
    throw new ClusterError(
      'ERR_CLUSTER_STATE',
      `cluster ${this.name} was begun and has no plan yet: ${next}`,
    );
  }

  /** The error for a cluster that is not there. */
  async notFound(): Promise<ClusterError> {
    const names = await clusterNames(join(this.path, '..'));
    const known = names.length === 0 ? 'there is none' : `there is ${names.join(', ')}`;
    return new ClusterError(
      'ERR_CLUSTER_NOT_FOUND',
      `no cluster ${this.name} in ${join(this.path, '..')}: ${known}`,
    );
  }
}

/** Names of the clusters below a directory, also of half-made ones. */
export async function clusterNames(state: string): Promise<readonly string[]> {
  return (await entries(state)).filter(isClusterName).toSorted();
}

async function entries(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
