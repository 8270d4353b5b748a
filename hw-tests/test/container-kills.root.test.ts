import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { callKeeper, ClusterDirectory, endKeeper, startKeeper } from '@nodecore/clusters';
import { output } from '@nodecore/testkit';

import { checkout } from '../src/paths.ts';
import type { ClusterHome } from './cluster-home.ts';
import { home, withContainers, words } from './container-home.ts';

/** Starts to create a cluster, and kills when it says this. */
async function cutOff(
  own: ClusterHome,
  args: readonly string[],
  step: RegExp,
  victim: 'client' | 'keeper',
): Promise<void> {
  const argv = [join(checkout, 'packages/apps/osctl/bin/osctl.js'), ...args];
  const env = { ...process.env, HOME: own.path };
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let isCut = false;
  for await (const line of createInterface({ input: child.stderr })) {
    if (isCut || !step.test(line)) continue;
    isCut = true;
    await own.note('cut');
    const record = await readFile(join(own.cluster('cut'), 'keeper.json'), 'utf8');
    if (victim === 'client') child.kill('SIGKILL');
    else process.kill((JSON.parse(record) as { readonly pid: number }).pid, 'SIGKILL');
  }
  await ended;
  if (!isCut) throw new Error(`creation never says ${step}`);
}

const [network, isOn, hasConfiguration] = [/^network/, /-controlplane-1 is on/, /has its configuration/];

/** A client that is killed later is one of machines, too, and no other: the tests of the package have it. */
const cuts = [
  ['client', network],
  ['keeper', network],
  ['keeper', isOn],
  ['keeper', hasConfiguration],
] as const;

withContainers(
  'whoever is killed at whichever step of creation, the cluster is shown, gone on with, and taken away',
  async (t) => {
    t.timeout(420_000);
    const own = await home(t);
    const args = await words('cut', '10.175.0.0/24', [1, 0]);
    for (const [victim, step] of cuts) {
      await cutOff(own, args, step, victim);
      const isThere = existsSync(own.cluster('cut'));
      t.is(await own.code('cluster', 'show', '--name', 'cut'), isThere ? 0 : 3, `${victim} ${step}`);
      // A client that sees its keeper die before the nodes run takes away what there is. That the last node is on is said just before
      // they do: the client may have its answer by then, or not.
      if (victim === 'client' || step !== isOn)
        t.is(isThere, victim === 'client' || step === hasConfiguration, `${victim} ${step}`);
      if (isThere && step !== hasConfiguration) await own.osctl(...args);
      if (isThere) await own.osctl('cluster', 'destroy', '--name', 'cut');
      t.deepEqual(own.remains(), [], `${victim} ${step}`);
    }
  },
);

withContainers(
  'a cluster whose network can not be as it was asked for is not started, and is when it can be',
  async (t) => {
    const own = await home(t);
    await own.osctl(...(await words('late', '10.174.0.0/24', [1, 0])));
    await own.note('late');
    const named = ['--name', 'late'];
    const state = async (): Promise<string | undefined> => (await own.show('late')).nodes[0]?.state;
    await own.osctl('cluster', 'chaos', ...named, '-n', 'late-controlplane-1', '--latency', '30ms');
    await own.osctl('cluster', 'stop', ...named);

    const programs = join(own.path, 'programs');
    await mkdir(programs);
    const whenTold = join(own.path, 'told');
    const tc = `#!/bin/sh\nfor each in $(seq 600); do [ ! -e '${whenTold}' ] || break; sleep 0.05; done\necho nothing is late here >&2; exit 1\n`;
    await writeFile(join(programs, 'tc'), tc, { mode: 0o755 });
    await writeFile(whenTold, '');
    const path = process.env['PATH'];
    process.env['PATH'] = `${programs}:${path}`;
    try {
      t.regex(await own.refusal('cluster', 'start', ...named), /nothing is late here/);
      // As a cluster begins that is new: its nodes run before its network is whole, and end when it fails.
      await rm(whenTold);
      const directory = new ClusterDirectory(join(own.path, '.os', 'clusters'), 'late');
      await endKeeper(directory);
      await startKeeper(directory, join(own.path, '.os', 'cache'));
      const onStatus = (line: string): void => {
        if (/-controlplane-1 is on/.test(line)) void writeFile(whenTold, '');
      };
      const started = callKeeper(directory, { method: 'start' }, { onStatus });
      await t.throwsAsync(started, { message: /nothing is late here/ });
    } finally {
      process.env['PATH'] = path;
    }
    t.is(await state(), 'off');
    await rm(programs, { recursive: true }); // its keeper goes on looking there first
    await own.osctl('cluster', 'start', ...named);
    t.is(await state(), 'running');
    const { network: made } = await own.show('late');
    t.regex(await output(['nsenter', `--net=/run/netns/${made.name}`, 'nft', 'list', 'tables']), /chaos/);
    await own.osctl('cluster', 'destroy', ...named);
    t.deepEqual(own.remains(), []);
  },
);
