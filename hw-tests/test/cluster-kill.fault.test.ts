import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { hasUplink } from '@nodecore/lan';
import { output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';

import { tinyMachine } from '../../packages/lab/machine/test/guests.ts';
import { checkout } from '../src/paths.ts';
import { ClusterHome } from './cluster-home.ts';

const kills = Number(process.env['FAULT_KILLS'] ?? (process.env['FAULT_CAMPAIGN'] === 'long' ? 20 : 3));
const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const name = 'cut';

type Victim = 'client' | 'keeper' | 'both';
const victims: readonly Victim[] = ['client', 'keeper', 'both'];

/** Begins to create a cluster. @returns how it is ended, and when it ends by itself */
function begun(own: ClusterHome, args: readonly string[]) {
  const argv = [join(checkout, 'packages/apps/osctl/bin/osctl.js'), ...args];
  const env = { ...process.env, HOME: own.path };
  const child = spawn(process.execPath, argv, { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const kill = async (victim: Victim): Promise<void> => {
    if (victim !== 'client') await killKeeper(own);
    if (victim !== 'keeper') child.kill('SIGKILL');
    await ended;
  };
  return { ended, kill };
}

/** Where there is none yet, nobody is killed. */
async function killKeeper(own: ClusterHome): Promise<void> {
  try {
    const record = await readFile(join(own.cluster(name), 'keeper.json'), 'utf8');
    process.kill((JSON.parse(record) as { readonly pid: number }).pid, 'SIGKILL');
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

testWith(
  root,
  program('qemu-system-x86_64'),
  program('dnsmasq'),
)(`after kill -9 at any moment of making a cluster it is taken away whole (seed ${seed})`, async (t) => {
  t.timeout((kills + 1) * 60_000);
  const directory = await temporaryDirectory(t);
  const own = new ClusterHome(join(directory, 'a home'), AbortSignal.timeout((kills + 1) * 60_000));
  await mkdir(join(own.path, '.os', 'clusters'), { recursive: true });
  await tinyMachine(directory, 'deaf');
  t.teardown(async () => {
    const late = new ClusterHome(own.path, AbortSignal.timeout(60_000));
    if (existsSync(own.cluster(name))) await late.osctl('cluster', 'destroy', '--name', name);
  });
  const size = '--workers 2 --memory-controlplanes 512MiB --memory-workers 512MiB --disks virtio:4MiB';
  const machines = `cluster create vm --name ${name} --cidr 10.179.0.0/24 ${size}`;
  const start = '--presets disk-image,maintenance --with-uefi=false --disk-image-path';
  const args = [...`${machines} ${start}`.split(' '), join(directory, 'boot.disk')];
  const tables = await output(['nft', 'list', 'tables']);
  const destroyed = async (what: string): Promise<void> => {
    const plan = await readFile(join(own.cluster(name), 'plan.json'), 'utf8').catch(() => undefined);
    if (plan !== undefined) await own.note(name);
    if (existsSync(own.cluster(name))) await own.osctl('cluster', 'destroy', '--name', name);
    t.deepEqual(own.remains(), [], what);
    t.is(await output(['nft', 'list', 'tables']), tables, what);
    const { lan } = JSON.parse(plan ?? '{}') as { readonly lan?: { readonly namespace: string } };
    if (lan !== undefined) t.false(await hasUplink(lan.namespace), what);
  };

  const began = performance.now();
  await begun(own, args).ended;
  const spanMs = performance.now() - began;
  t.is((await own.show(name)).nodes.length, 3);
  await destroyed('all of it');
  let state = seed >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let number = 0; number < kills; number += 1) {
    const victim = victims[number % victims.length] ?? 'both';
    const afterMs = random() * spanMs;
    const making = begun(own, args);
    await systemClock.sleep(afterMs);
    await making.kill(victim);
    await destroyed(`${victim} after ${Math.round(afterMs)} of ${Math.round(spanMs)} ms`);
  }
  t.log(`${kills} kills in ${Math.round(spanMs)} ms of work`);
});
