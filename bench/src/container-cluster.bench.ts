import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import {
  callKeeper,
  destroyCluster,
  planCluster,
  readContainerRequest,
  startKeeper,
} from '@nodecore/clusters';
import { buildRelease } from '@nodecore/release';
import { writeFileAtomic } from '@nodecore/sys';

import { leavingNoCgroups, unpackPodman } from './container-cluster/podman.ts';
import { ask, type Bench } from './question.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('container-cluster/create-by-podman.sh', import.meta.url));
/** As in the script of podman: what waits starts no program, which would take time from what is waited for. */
const untilAll =
  'exec 4<> <(:); for address; do until { exec 3<>"/dev/tcp/$address/50000"; } 2>/dev/null; do read -rt 0.02 -u 4 || true; done; done';
const agent = [
  '/usr/bin/node',
  '/usr/lib/nodeos/agent.cjs',
  '--state',
  '/system/state',
  '--run-directory',
  '/run/nodeos',
];

/** Milliseconds. */
type Times = { readonly create: number; readonly destroy: number };

/** How long a control plane and a worker in containers of one network take until they answer, and to be gone: by a keeper, and by podman. */
export const bench: Bench = {
  prepare: async (stack) => {
    const home = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(home, { recursive: true, force: true }));
    const programs = await unpackPodman();
    const { directory } = await buildRelease({ version: 'v1.14.0-alpha.0' });
    const image = join(directory, 'amd64', 'base.sqsh');
    await byKeeper(home, image); // unpacks the root, which both have
    const [tree = ''] = await readdir(join(home, 'cache', 'roots'));
    const root = join(home, 'cache', 'roots', tree);
    const missing = await byPodman(home, programs, root).catch((error: unknown) => error);
    if (missing instanceof Error) {
      console.error(`container-cluster is left out, as podman does not run here: ${missing.message}`);
      return [];
    }
    const ours = async (): Promise<Times> => await byKeeper(home, image);
    const peer = async (): Promise<Times> => await byPodman(home, programs, root);
    const question = (what: keyof Times, words: string, gate: number) =>
      ask({
        name: `container-cluster-${what}`,
        question: words,
        gate,
        rounds: 15,
        warmUp: 1,
        ours: {
          name: 'a keeper with crun or runc',
          run: async () => Object.keys(await ours()),
          sample: async () => (await ours())[what],
        },
        peer: {
          name: 'podman with crun',
          run: async () => Object.keys(await peer()),
          sample: async () => (await peer())[what],
        },
      });
    return [
      question(
        'create',
        'How long do a control plane and a worker in containers of a network of their own take until they answer?',
        0.8,
      ),
      question('destroy', 'How long do they take to be gone?', 1.5),
    ];
  },
};

async function byKeeper(home: string, image: string): Promise<Times> {
  const request = readContainerRequest(
    {
      name: 'bench',
      subnet: '10.182.0.0/24',
      mtu: '1500',
      controlplanes: '1',
      workers: '1',
      cpusControlplanes: '2',
      cpusWorkers: '2',
      memoryControlplanes: '512MiB',
      memoryWorkers: '512MiB',
      exposedPorts: [],
      hostIp: '127.0.0.1',
      image,
      osVersion: 'v1.14.0-alpha.0',
      mount: [],
    },
    '/usr/bin/crun',
  );
  const cache = join(home, 'cache');
  const began = performance.now();
  await using cluster = await planCluster(request, join(home, 'clusters'));
  const { directory, plan } = cluster;
  // No node has a configuration: all serve in maintenance, as podman's do.
  await mkdir(directory.secrets, { recursive: true });
  for (const { name } of plan.nodes) await writeFileAtomic(join(directory.secrets, `${name}.yaml`), '');
  await startKeeper(directory, cache);
  await callKeeper(directory, { method: 'create' });
  const inside = ['--net=/run/netns/' + plan.lan?.namespace, '--', 'bash', '-c', untilAll, 'bash'];
  await run('nsenter', [...inside, ...plan.nodes.map(({ address }) => address)]);
  const created = performance.now();
  await destroyCluster(directory);
  return { create: created - began, destroy: performance.now() - created };
}

async function byPodman(home: string, programs: string, root: string): Promise<Times> {
  const work = join(home, 'podman');
  const own = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const argv = [...own, 'bash', script, programs, work, root, ...agent];
  const { stdout } = await leavingNoCgroups(() => run('unshare', argv));
  const [create = Number.NaN, destroy = Number.NaN] = stdout.trim().split(' ').map(Number);
  for (const number of [2, 3]) await rm(join(work, `${number}`), { recursive: true, force: true });
  return { create, destroy };
}
