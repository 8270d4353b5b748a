import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { tickRateKhz } from '@nodecore/machine';
import { buildRelease } from '@nodecore/release';
import { parseSchematic, schematicId } from '@nodecore/schematic';
import { systemClock } from '@nodecore/waiting';
import { stringify } from 'yaml';

import { cacheDirectory, rigCache } from '../paths.ts';
import { Programs } from './programs.ts';
import type { Steps } from './steps.ts';

const first = 'v1.14.0-alpha.0';
const second = 'v1.14.0-alpha.1';
const gateway = '10.5.0.1';
const factoryUrl = 'http://127.0.0.1:8081';
const clusterName = 'system';
const pollMs = 2000;

/** Where the thread keeps what it makes: keys and images stay for the next run, all else is made anew. */
export const systemDirectory: string = join(cacheDirectory, 'system');

/**
 * The whole system, once through: two releases, keys, factory, fleet manager, a cluster of two machines with Secure Boot and
 * TPM, its kvstore, an upgrade and the way back, a reboot, a shutdown, and nothing left. Needs root.
 *
 * @throws {Error} at the first thing that does not hold; what was made is taken away.
 */
export async function wholeSystem(
  steps: Steps,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const home = join(systemDirectory, 'home');
  await rm(join(home, '.os', 'fleet'), { recursive: true, force: true });
  await rm(join(home, '.os', 'keys'), { recursive: true, force: true });
  await rm(join(home, '.os', 'config'), { force: true });
  await rm(join(systemDirectory, 'fleet'), { recursive: true, force: true });
  await mkdir(join(systemDirectory, 'fleet'), { recursive: true, mode: 0o700 });
  await mkdir(home, { recursive: true, mode: 0o700 });
  const programs = new Programs(home, signal);
  const tell = (text: string): void => say(text.trimEnd().replaceAll(/^/gm, '  '));
  await destroyed(home);

  await steps.step('releases of the node OS', async () => {
    for (const version of [first, second]) await buildRelease({ version });
  });
  const keys = await steps.step('keys of Secure Boot and PCR 11', async () => await secureBootKeys(programs));

  await using _fleet = await steps.step('fleet manager', async () => await startFleet(programs));
  const document = await programs.run('fleetctl', 'jointoken', 'machine-config');
  await using _factory = await steps.step(
    'image factory',
    async () =>
      await programs.serve(
        'nodecore-factory',
        [
          'serve',
          '--releases',
          join(cacheDirectory, 'releases'),
          '--storage',
          join(systemDirectory, 'factory'),
          '--external-url',
          `http://${gateway}:8081`,
          '--secure-boot-keys',
          keys,
        ],
        join(systemDirectory, 'factory.log'),
        /answers at/,
      ),
  );
  const schematic = await steps.step(
    'schematic',
    async () => await submit(document),
    (id) => id.slice(0, 12),
  );

  try {
    await steps.step('cluster of two, configured, sealed, with its kvstore', async () => {
      await create(programs, schematic, tell);
    });
    say(await programs.run('osctl', 'cluster', 'show', '--name', clusterName));
    const nodes = await steps.step('what the nodes are', async () => await checkNodes(programs, schematic));
    const ids = await steps.step(
      'the fleet sees both',
      async () => await untilInFleet(programs, signal),
      String,
    );
    await steps.step('a node through the fleet, its disks and its log', async () => {
      await programs.run('fleetctl', 'osconfig');
      const [id = ''] = ids;
      const disks = await programs.run('osctl', '--context', 'fleet', '-n', id, 'get', 'disks');
      if (!disks.includes('vda')) throw new Error(`no system disk: ${disks}`);
      const log = await programs.run('fleetctl', 'machine-logs', id, '--tail', '5');
      if (log.trim() === '') throw new Error('the fleet has no log of the machine');
    });
    const [last = ''] = nodes.slice(-1);
    const ours = ['--context', clusterName, '-n', last];
    await steps.step('upgrade of one node, tried by the firmware, blessed', async () => {
      const image = `${gateway}:8081/metal-installer-secureboot/${schematic}:${second}`;
      await programs.follow(
        tell,
        'osctl',
        ...ours,
        'upgrade',
        '--image',
        image,
        '--wait',
        '--timeout',
        '10m',
      );
      await untilEntry(programs, ours, '1.14.0~alpha.1', 'good', signal);
    });
    await steps.step('rollback', async () => {
      await programs.follow(tell, 'osctl', ...ours, 'rollback', '--wait', '--timeout', '10m');
      await untilEntry(programs, ours, '1.14.0~alpha.0', 'booted', signal);
    });
    await steps.step('reboot', async () => {
      await programs.follow(tell, 'osctl', ...ours, 'reboot', '--wait', '--timeout', '10m');
    });
    await steps.step('shutdown', async () => {
      await programs.follow(tell, 'osctl', ...ours, 'shutdown', '--wait', '--timeout', '5m');
    });
  } finally {
    await steps.step('destroy, and nothing is left', async () => {
      await destroyed(home);
      const left = await readdir(join(home, '.os', 'clusters')).catch((): string[] => []);
      if (left.length > 0) throw new Error(`left: ${left.join(', ')}`);
    });
  }
}

async function destroyed(home: string): Promise<void> {
  const { code, stderr } = await new Programs(home).try('osctl', 'cluster', 'destroy', '--name', clusterName);
  if (code !== 0 && code !== 3) throw new Error(stderr); // 3: there is none
}

/** Made once: machines of an earlier run would not start images of other keys. */
async function secureBootKeys(programs: Programs): Promise<string> {
  const directory = join(systemDirectory, 'secure-boot');
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

async function startFleet(programs: Programs): Promise<AsyncDisposable> {
  const directory = join(systemDirectory, 'fleet');
  const account = join(directory, 'automation.key');
  const url = `https://${gateway}:8080`;
  const server = await programs.serve(
    'nodecore-fleet',
    [
      'serve',
      '--listen',
      '127.0.0.1:8080',
      '--advertised-url',
      url,
      '--state',
      join(directory, 'fleet.db'),
      '--initial-service-account-key',
      account,
    ],
    join(systemDirectory, 'fleet.log'),
    /fleetca=(sha256:[\da-f]{64})/,
  );
  const [pin = ''] = /sha256:[\da-f]{64}/.exec(server.said) ?? [];
  const place = ['--url', 'https://127.0.0.1:8080', '--fleetca', pin, '--service-account-key', account];
  await programs.run('fleetctl', 'config', 'add', 'fleet', ...place);
  return server;
}

/** Nodes in emulation are told the rate of their clock, and say on their console what they do. */
async function submit(document: string): Promise<string> {
  const rate = await tickRateKhz(rigCache);
  const text = stringify({
    customization: {
      extraKernelArgs: [
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
  const response = await fetch(`${factoryUrl}/schematics`, { method: 'POST', body: text });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`POST /schematics: ${response.status} ${answer}`);
  const { id } = JSON.parse(answer) as { id: string };
  if (id !== schematicId(parseSchematic(text))) throw new Error(`the factory says ${id}`);
  return id;
}

async function create(programs: Programs, schematic: string, tell: (text: string) => void): Promise<void> {
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
    factoryUrl,
    '--fleet-api-endpoint',
    'https://127.0.0.1:8080/?jointoken=in-the-image',
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
async function checkNodes(programs: Programs, schematic: string): Promise<readonly string[]> {
  const shown = JSON.parse(
    await programs.run('osctl', 'cluster', 'show', '--name', clusterName, '-o', 'json'),
  ) as { readonly nodes: readonly { readonly api: string }[] };
  const nodes = shown.nodes.map(({ api }) => api);
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

async function untilInFleet(programs: Programs, signal: AbortSignal): Promise<readonly string[]> {
  for (;;) {
    signal.throwIfAborted();
    const text = await programs.run('fleetctl', 'get', 'machines', '-o', 'json');
    const ids = [...new Set(text.match(/[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g) ?? [])];
    if (ids.length >= 2) return ids;
    await systemClock.sleep(pollMs, signal);
  }
}

async function untilEntry(
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
