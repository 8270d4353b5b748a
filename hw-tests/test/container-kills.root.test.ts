import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

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
