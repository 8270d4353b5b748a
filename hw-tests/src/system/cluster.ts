import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock } from '@nodecore/waiting';
import { stringify } from 'yaml';

import { clusterName, first, pollMs, systemDirectory, systemPlaces } from './places.ts';
import type { Programs } from './programs.ts';
import { factoryUrl } from './services.ts';

/**
 * Two machines, configured; they let the fleet in, whose authority their configuration accepts. They dial it by the document that is in
 * their image.
 */
export async function create(
  programs: Programs,
  schematic: string,
  tell: (text: string) => void,
): Promise<void> {
  const authority = await readFile(join(systemDirectory, 'fleet', 'fleet.db.access.crt'));
  const patch = join(systemDirectory, 'cluster.patch.yaml');
  const acceptedCAs = [{ crt: authority.toString('base64') }];
  await writeFile(patch, stringify({ version: 'v1alpha1', machine: { acceptedCAs } }), { mode: 0o600 });
  await programs.follow(
    tell,
    'osctl',
    'cluster',
    'create',
    'vm',
    '--name',
    clusterName,
    '--controlplanes',
    '2',
    '--workers',
    '0',
    '--presets',
    'disk-image,secureboot',
    '--schematic-id',
    schematic,
    '--os-version',
    first,
    '--image-factory-url',
    factoryUrl(systemPlaces),
    '--gateway-services',
    `https://127.0.0.1:${systemPlaces.fleetPort}`,
    '--cpus-controlplanes',
    '1',
    '--memory-controlplanes',
    '768MiB',
    '--disks',
    'virtio:6GiB',
    '--config-patch',
    `@${patch}`,
    '--wait-timeout',
    '15',
  );
}

/** Schematic, Secure Boot, sealed volumes: on each node. @returns their names in the context */
export async function checkNodes(programs: Programs, schematic: string): Promise<readonly string[]> {
  const nodes = (await shownNodes(programs)).map(({ api }) => api);
  for (const node of nodes) {
    const ask = (...words: string[]): Promise<string> =>
      programs.run('osctl', '--context', clusterName, '-n', node, ...words);
    const extensions = await ask('get', 'extensions', '-o', 'yaml');
    if (!extensions.includes(schematic)) throw new Error(`${node} has another schematic: ${extensions}`);
    const security = await ask('get', 'securitystates', '-o', 'yaml');
    if (!/secureBoot: (true|enabled)/.test(security))
      throw new Error(`${node} has no Secure Boot: ${security}`);
    const volumes = await ask('get', 'volumestatuses', '-o', 'yaml');
    for (const name of ['STATE', 'EPHEMERAL'])
      if (!volumes.includes(name)) throw new Error(`${node} has no ${name}: ${volumes}`);
  }
  const members = await programs.run(
    'osctl',
    '--context',
    clusterName,
    '-n',
    nodes[0] ?? '',
    'kvstore',
    'members',
  );
  if (members.trim().split('\n').length !== 3) throw new Error(`not two members:\n${members}`);
  return nodes;
}

/** A node that does not answer any more still unmounts. */
export async function untilOff(programs: Programs, node: string, signal: AbortSignal): Promise<void> {
  while ((await shownNodes(programs)).find(({ api }) => api === node)?.state !== 'off')
    await systemClock.sleep(pollMs, signal);
}

async function shownNodes(
  programs: Programs,
): Promise<readonly { readonly api: string; readonly state: string }[]> {
  const shown = await programs.run('osctl', 'cluster', 'show', '--name', clusterName, '-o', 'json');
  return (JSON.parse(shown) as { nodes: { api: string; state: string }[] }).nodes;
}

/** Waits until the menu says so of the entry of a version. */
export async function untilEntry(
  programs: Programs,
  target: readonly string[],
  version: string,
  state: 'good' | 'booted',
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const type = state === 'booted' ? 'bootedentry' : 'bootentries';
    const { stdout } = await programs.try('osctl', ...target, 'get', type, '-o', 'json');
    if (stdout.includes(version) && (state === 'booted' || hasGood(stdout, version))) return;
    await systemClock.sleep(pollMs, signal);
  }
}

function hasGood(text: string, version: string): boolean {
  const rows = text.split(/(?<=\})\s*,?\s*(?=\{)/);
  return rows.some((row) => row.includes(version) && /"state":\s*"good"/.test(row));
}
