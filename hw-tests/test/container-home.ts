import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { buildRelease } from '@nodecore/release';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { first } from '../src/system/places.ts';
import { ClusterHome } from './cluster-home.ts';

/** A test that makes clusters of containers. */
export const withContainers = testWith(
  root,
  program('runc'),
  program('crun'),
  program('dnsmasq'),
  program('unsquashfs'),
);

let image: Promise<string> | undefined;

/** A home of a user whose clusters are taken away at the end, with blanks in its path. */
export async function home(t: ExecutionContext): Promise<ClusterHome> {
  image ??= buildRelease({ version: first }).then(({ directory }) => join(directory, 'amd64', 'base.sqsh'));
  await image;
  const made = new ClusterHome(join(await temporaryDirectory(t), 'a home'), AbortSignal.timeout(400_000));
  t.teardown(async () => {
    const clusters = join(made.path, '.os', 'clusters');
    for (const name of existsSync(clusters) ? readdirSync(clusters) : [])
      await made.osctl('cluster', 'destroy', '--name', name);
  });
  return made;
}

/** Words of a small cluster, whose nodes have the root that the keeper's own factory makes. */
export function wordsOf(name: string, subnet: string, nodes: readonly [number, number]): readonly string[] {
  const [controlplanes, workers] = nodes;
  const flags = [
    `cluster create container --name ${name} --subnet ${subnet}`,
    `--controlplanes ${controlplanes} --workers ${workers} --cpus-workers 1/2`,
    '--memory-controlplanes 512MiB --memory-workers 256MiB --wait-timeout 2',
  ];
  return flags.join(' ').split(' ');
}

/** The same of a root that is there. */
export async function words(...cluster: Parameters<typeof wordsOf>): Promise<readonly string[]> {
  return [...wordsOf(...cluster), '--image', (await image) ?? ''];
}
