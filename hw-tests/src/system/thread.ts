import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { buildRelease } from '@nodecore/release';

import { checkNodes, create, untilEntry, untilOff } from './cluster.ts';
import { CommandLines } from './command-lines.ts';
import { memoryOf, memoryWords } from './memory.ts';
import { clusterName, first, second, systemDirectory, systemPlaces } from './places.ts';
import { Programs } from './programs.ts';
import { assertSecrecy } from './secrecy.ts';
import { secureBootKeys, startFactory, startFleet, submit, untilInFleet } from './services.ts';
import type { Steps } from './steps.ts';

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
  const keys = await steps.step(
    'keys of Secure Boot and PCR 11',
    async () => await secureBootKeys(programs, systemPlaces),
  );

  await using _fleet = await steps.step(
    'fleet manager',
    async () => await startFleet(programs, systemPlaces),
  );
  const document = await programs.run('fleetctl', 'jointoken', 'machine-config');
  await using _factory = await steps.step(
    'image factory',
    async () => await startFactory(programs, systemPlaces, keys),
  );
  const schematic = await steps.step(
    'schematic',
    async () => await submit(systemPlaces, document),
    (id) => id.slice(0, 12),
  );

  await using processes = new CommandLines();
  try {
    await steps.step('cluster of two, configured, sealed, with its kvstore', async () => {
      let said = '';
      await create(programs, schematic, (text) => {
        said += text;
        tell(text);
      });
      const shown = said.split(`is in maintenance: schematic ${schematic}, no extensions`).length - 1;
      if (shown !== 2) throw new Error(`${shown} nodes of two showed their schematic in maintenance`);
    });
    say(await programs.run('osctl', 'cluster', 'show', '--name', clusterName));
    const nodes = await steps.step('what the nodes are', async () => await checkNodes(programs, schematic));
    const ids = await steps.step(
      'the fleet sees both',
      async () => await untilInFleet(programs, 2, signal),
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
    const inCluster = (...words: readonly string[]): Promise<string> =>
      programs.run('osctl', '--context', clusterName, ...words);
    await steps.step('memory of the nodes', async () => {
      for (const node of nodes)
        tell(`${node}: ${memoryWords(await memoryOf(inCluster, node, systemDirectory))} of 768 MiB\n`);
    });
    const [other = '', last = ''] = nodes;
    const ours = ['--context', clusterName, '-n', last];
    await steps.step('upgrade of one node, tried by the firmware, blessed', async () => {
      const image = `${systemPlaces.gateway}:${systemPlaces.factoryPort}/metal-installer-secureboot/${schematic}:${second}`;
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
    // Both nodes start at once, as after a power cut.
    await steps.step('rollback, and a reboot of the other node', async () => {
      const limit = ['--wait', '--timeout', '10m'];
      await Promise.all([
        programs.follow(tell, 'osctl', ...ours, 'rollback', ...limit),
        programs.follow(tell, 'osctl', '--context', clusterName, '-n', other, 'reboot', ...limit),
      ]);
      await untilEntry(programs, ours, '1.14.0~alpha.0', 'booted', signal);
    });
    await steps.step(
      'no secret in images, command lines, arguments and logs',
      async () => {
        const search = { programs, nodes, ids, document, processes: processes.all, signal };
        return await assertSecrecy(search);
      },
      (count) => `${count} secrets`,
    );
    await steps.step('shutdown', async () => {
      await programs.follow(tell, 'osctl', ...ours, 'shutdown', '--wait', '--timeout', '5m');
      await untilOff(programs, last, signal);
    });
  } finally {
    await steps.step('destroy, and nothing is left', async () => {
      await destroyed(home);
      const left = await readdir(join(home, '.os', 'clusters')).catch((): string[] => []);
      const contexts = await new Programs(home).run('osctl', 'config', 'contexts');
      if (left.length > 0) throw new Error(`left: ${left.join(', ')}`);
      if (contexts.includes(`${clusterName} `)) throw new Error(`a context is left:\n${contexts}`);
    });
  }
}

async function destroyed(home: string): Promise<void> {
  const { code, stderr } = await new Programs(home).try('osctl', 'cluster', 'destroy', '--name', clusterName);
  if (code !== 0 && code !== 3) throw new Error(stderr); // 3: there is none
}
