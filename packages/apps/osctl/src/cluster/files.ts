import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Osconfig } from '@nodecore/api';
import type { ClusterDirectory, ClusterPlan } from '@nodecore/clusters';
import { codeOf, writeFileAtomic } from '@nodecore/sys';

import { osconfigText } from '../gen/osconfig.ts';
import { createNodeSecrets } from '../gen/secrets.ts';
import { configurationOf, type Patches } from './documents.ts';
import { wireguardDocuments } from './wireguard.ts';

/** What a cluster's nodes and its administrator get. */
export type ClusterFiles = {
  /** By the name of the node. */
  readonly configurations: ReadonlyMap<string, string>;
  /** Machines of a fleet have no administrator of ours. */
  readonly osconfig?: Osconfig;
};

const last = 'osconfig';

/** Where the configuration of a node is. */
export function configurationFile({ secrets }: ClusterDirectory, name: string): string {
  return join(secrets, `${name}.yaml`);
}

/**
 * The files of a cluster in its directory for secrets, made when they are not all there. The client config comes last: with it
 * there, an earlier call has made all of them, and a node may have its own by now.
 *
 * @throws {ConfigError} for a patch that does not apply.
 */
export async function clusterFiles(
  directory: ClusterDirectory,
  plan: ClusterPlan,
  patches: Patches,
): Promise<ClusterFiles> {
  const file = join(directory.secrets, last);
  const made = await stored(file);
  if (made === undefined) await make(directory, plan, patches);
  const text = made ?? (await stored(file)) ?? '';
  const configurations = new Map<string, string>();
  for (const { name } of plan.nodes)
    configurations.set(name, (await stored(configurationFile(directory, name))) ?? '');
  return { configurations, osconfig: Osconfig.parse(text, last) };
}

/** The files of machines of a fleet: the document by which they dial it, and nothing else. */
export async function fleetFiles(
  directory: ClusterDirectory,
  plan: ClusterPlan,
  link: string,
): Promise<ClusterFiles> {
  for (const { name } of plan.nodes) await writeFileAtomic(configurationFile(directory, name), link);
  return { configurations: new Map(plan.nodes.map(({ name }) => [name, link])) };
}

async function make(directory: ClusterDirectory, plan: ClusterPlan, patches: Patches): Promise<void> {
  const secrets = await createNodeSecrets();
  const whole = { ...patches, own: wireguardDocuments(plan) };
  for (const node of plan.nodes)
    await writeFileAtomic(
      configurationFile(directory, node.name),
      configurationOf(plan, node, secrets, whole),
    );
  const { endpoint } = plan.request.settings ?? {};
  const doors = plan.nodes
    .filter(({ type }) => type === 'controlplane')
    .map(({ door }) => `${door.address}:${door.port}`);
  await writeFileAtomic(
    join(directory.secrets, last),
    await osconfigText(plan.request.name, endpoint === undefined ? doors : [endpoint], secrets),
  );
}

async function stored(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
