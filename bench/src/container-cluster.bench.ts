import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { buildRelease } from '@nodecore/release';

import { leavingNoCgroups, unpackPodman } from './container-cluster/podman.ts';
import type { Times } from './container-cluster/times.ts';
import { ask, type Bench } from './question.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('container-cluster/create-by-podman.sh', import.meta.url));
const keeperProgram = fileURLToPath(new URL('container-cluster/by-keeper.ts', import.meta.url));
const agent = [
  '/usr/bin/node',
  '/usr/lib/nodeos/agent.cjs',
  '--state',
  '/system/state',
  '--run-directory',
  '/run/nodeos',
];

/** How long a control plane and a worker in containers of one network take until they answer, and to be gone: by a keeper, and by podman. */
export const bench: Bench = {
  prepare: async (stack) => {
    const home = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(home, { recursive: true, force: true }));
    const programs = await unpackPodman();
    const { directory } = await buildRelease({ version: 'v1.14.0-alpha.0' });
    const image = join(directory, 'amd64', 'base.sqsh');
    const ours = byKeeper(stack, home, image);
    await ours(); // unpacks the root, which both have
    const [tree = ''] = await readdir(join(home, 'cache', 'roots'));
    const root = join(home, 'cache', 'roots', tree);
    const missing = await byPodman(home, programs, root).catch((error: unknown) => error);
    if (missing instanceof Error) {
      console.error(`container-cluster is left out, as podman does not run here: ${missing.message}`);
      return [];
    }
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

/** crun takes one version of cgroups: a process with mounts of its own has no second one, as in the script of podman. */
const oneVersion =
  'if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi; exec "$@"';

function byKeeper(stack: AsyncDisposableStack, home: string, image: string): () => Promise<Times> {
  const program = [process.execPath, ...process.execArgv, keeperProgram, home, image];
  const child = spawn('unshare', ['--mount', '--', 'sh', '-c', oneVersion, 'sh', ...program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {}); // it has ended, which its output says
  const ended = once(child, 'exit');
  stack.defer(async () => {
    child.stdin.end();
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    child.stdin.write('once\n');
    const { value, done } = await lines.next();
    if (done === true) throw new Error('no more clusters are made: the program has ended');
    return JSON.parse(value) as Times;
  };
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
