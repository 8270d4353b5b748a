import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock } from '@nodecore/waiting';

import { clusterName, pollMs, systemDirectory, systemPlaces } from './places.ts';
import type { Programs } from './programs.ts';
import { type Secret, secretsInTexts, secretsOfFiles, whereSecretsStand } from './secrets.ts';

/** Where to look, and through whom. */
export type Search = {
  readonly programs: Programs;
  /** By their API. */
  readonly nodes: readonly string[];
  /** By their id in the fleet. */
  readonly ids: readonly string[];
  /** What the schematic embeds: the join token stands in it. */
  readonly document: string;
  /** With what every process of this computer was started. */
  readonly processes: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
};

/**
 * Looks for every secret of the cluster, of the fleet and of the factory in all that others may read: disks, images, releases, logs of
 * all programs and of the machines' consoles, command lines of kernels, arguments of processes. The join token stands in the image that
 * embeds it, and nowhere else.
 *
 * @returns how many secrets it has looked for
 * @throws {Error} that names each, and where it stands, without itself.
 */
export async function assertSecrecy(search: Search): Promise<number> {
  const { programs, nodes, ids, document, processes } = search;
  const home = join(systemDirectory, 'home', '.os');
  const cluster = join(home, 'clusters', clusterName);
  const secrets = await secretsOfFiles([
    join(cluster, 'secrets', '*'),
    join(systemDirectory, 'fleet', '*.key'),
    join(systemDirectory, 'factory', '*.key'),
    join(systemDirectory, 'secure-boot', '*-key.pem'),
    join(systemPlaces.releases, '..', 'release-keys', '*.key'),
  ]);
  const token: Secret = { name: 'join token', forms: [tokenOf(document)] };
  if (secrets.length < 12) throw new Error(`only ${secrets.length} secrets were found where they belong`);
  const texts = new Map(processes);
  for (const node of nodes)
    texts.set(
      `command line of ${node}`,
      await programs.run(
        'osctl',
        '--context',
        clusterName,
        '-n',
        node,
        'get',
        'kernelcmdlines',
        '-o',
        'yaml',
      ),
    );
  for (const id of ids) texts.set(`log of ${id}`, await logOf(search, id));
  const logs = [
    ...['plan.json', 'state.yaml', 'keeper.json', 'keeper.log', 'lan'].map((name) => join(cluster, name)),
    ...['factory.log', 'fleet.log'].map((name) => join(systemDirectory, name)),
    ...nodes.flatMap((_, index) =>
      ['console.log', 'qemu.log', 'swtpm.log'].map((name) => join(cluster, 'nodes', String(index + 1), name)),
    ),
  ];
  const images = [
    join(cluster, 'nodes'),
    join(home, 'cache'),
    join(systemDirectory, 'factory', 'schematics.sqlite'),
    systemPlaces.releases,
  ];
  for (const place of [...logs, ...images]) await access(place); // what is not there was not searched
  const found = [
    ...(await whereSecretsStand(secrets, [...logs, ...images])),
    ...(await whereSecretsStand([token], logs)),
    ...secretsInTexts([...secrets, token], texts),
  ];
  if (found.length > 0) throw new Error(`secrets stand where they must not:\n${found.join('\n')}`);
  const own = (await whereSecretsStand([token], images)).length;
  if (own === 0) throw new Error('the join token is in no image: the search would find nothing');
  return secrets.length + 1;
}

function tokenOf(document: string): string {
  const token = /jointoken=([^&\s"']+)/.exec(document)?.[1];
  if (token === undefined) throw new Error('the embedded configuration has no join token');
  return token;
}

/** A machine that was rebooted dials the fleet some time after it has answered. */
async function logOf({ programs, signal }: Search, id: string): Promise<string> {
  for (;;) {
    const { code, stdout } = await programs.try('fleetctl', 'machine-logs', id);
    if (code === 0) return stdout;
    await systemClock.sleep(pollMs, signal);
  }
}
