import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { tickRateKhz } from '@nodecore/machine';
import { parseSchematic, schematicId } from '@nodecore/schematic';
import { systemClock } from '@nodecore/waiting';
import { stringify } from 'yaml';

import { cacheDirectory, rigCache } from '../paths.ts';
import { withoutCosts } from '../rig-boot.ts';
import { pollMs, type ServicePlaces } from './places.ts';
import type { Programs, Served } from './programs.ts';

/** Made once: machines of an earlier run would not start images of other keys. */
export async function secureBootKeys(programs: Programs, places: ServicePlaces): Promise<string> {
  const directory = join(places.directory, 'secure-boot');
  const files = await readdir(directory).catch((): string[] => []);
  if (files.includes('db.auth')) return directory;
  const own = ['--output', directory, '--force'];
  await programs.run('osctl', 'gen', 'secureboot', 'uki', ...own);
  await programs.run('osctl', 'gen', 'secureboot', 'pcr', ...own);
  const certificate = join(directory, 'uki-signing-cert.pem');
  const signer = [
    '--signing-certificate',
    certificate,
    '--signing-key',
    join(directory, 'uki-signing-key.pem'),
  ];
  await programs.run(
    'osctl',
    'gen',
    'secureboot',
    'database',
    '--enrolled-certificate',
    certificate,
    ...signer,
    ...own,
  );
  return directory;
}

/** The fleet manager, and a context of fleetctl for it. */
export async function startFleet(programs: Programs, places: ServicePlaces): Promise<Served> {
  const { directory: parent, gateway, fleetPort: port } = places;
  const directory = join(parent, 'fleet');
  const account = join(directory, 'automation.key');
  const server = await programs.serve(
    'nodecore-fleet',
    [
      'serve',
      '--listen',
      `127.0.0.1:${port}`,
      '--advertised-url',
      `https://${gateway}:${port}`,
      '--state',
      join(directory, 'fleet.db'),
      '--initial-service-account-key',
      account,
    ],
    join(parent, 'fleet.log'),
    /fleetca=(sha256:[\da-f]{64})/,
  );
  const [pin = ''] = /sha256:[\da-f]{64}/.exec(server.said) ?? [];
  const place = ['--url', `https://127.0.0.1:${port}`, '--fleetca', pin, '--service-account-key', account];
  await programs.run('fleetctl', 'config', 'add', 'fleet', ...place);
  return server;
}

/** The image factory, with the keys of {@link secureBootKeys}. */
export async function startFactory(
  programs: Programs,
  places: ServicePlaces,
  secureBoot: string,
): Promise<Served> {
  const { directory, releases, gateway, factoryPort: port } = places;
  return await programs.serve(
    'nodecore-factory',
    [
      'serve',
      '--listen',
      `127.0.0.1:${port}`,
      '--releases',
      releases,
      '--release-key',
      join(cacheDirectory, 'release-keys', 'release.pub'),
      '--storage',
      join(directory, 'factory'),
      '--external-url',
      `http://${gateway}:${port}`,
      '--secure-boot-keys',
      secureBoot,
    ],
    join(directory, 'factory.log'),
    /answers at/,
  );
}

/** Where the host reaches the factory. */
export function factoryUrl({ factoryPort }: ServicePlaces): string {
  return `http://127.0.0.1:${factoryPort}`;
}

/** Nodes in emulation are told the rate of their clock, and say on their console what they do. */
export async function submit(places: ServicePlaces, document: string): Promise<string> {
  const rate = await tickRateKhz(rigCache);
  const text = stringify({
    customization: {
      extraKernelArgs: [
        ...withoutCosts,
        'console=ttyS0',
        'loglevel=6',
        'mitigations=off',
        'no_timer_check',
        'tsc=reliable',
        // Emulated processors: what keyslots cost is not what this is about.
        'os.key-derivation=4,4096',
        'os.proof-limit=60',
        ...(rate === undefined ? [] : [`tsc_early_khz=${rate}`]),
      ],
      embeddedMachineConfiguration: document,
      secureboot: { enrollKeys: 'force' },
    },
  });
  const response = await fetch(`${factoryUrl(places)}/schematics`, { method: 'POST', body: text });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`POST /schematics: ${response.status} ${answer}`);
  const { id } = JSON.parse(answer) as { id: string };
  if (id !== schematicId(parseSchematic(text))) throw new Error(`the factory says ${id}`);
  return id;
}

/** Waits until that many machines are in the fleet. @returns their ids */
export async function untilInFleet(
  programs: Programs,
  count: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  for (;;) {
    signal.throwIfAborted();
    const text = await programs.run('fleetctl', 'get', 'machines', '-o', 'json');
    const ids = [...new Set(text.match(/[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g) ?? [])];
    if (ids.length >= count) return ids;
    await systemClock.sleep(pollMs, signal);
  }
}
