import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { X509Certificate } from 'node:crypto';
import { createInterface } from 'node:readline';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { promisify } from 'node:util';

import { Osconfig } from '@nodecore/api';
import { buildRelease } from '@nodecore/release';
import { codeOf } from '@nodecore/sys';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { checkout } from '../src/paths.ts';
import { first } from '../src/system/places.ts';
import { Programs } from '../src/system/programs.ts';
import { freePort } from './agent-node.ts';

const all = testWith(root, program('runc'), program('crun'), program('dnsmasq'), program('unsquashfs'));

type View = {
  readonly network: { readonly name: string };
  readonly nodes: readonly { readonly name: string; readonly state: string; readonly api: string }[];
};

/** A home with a space in its path, and clusters of its own. */
class Home {
  readonly path: string;
  readonly #programs: Programs;
  readonly #noted = new Set<string>();

  constructor(path: string) {
    this.path = path;
    this.#programs = new Programs(path, AbortSignal.timeout(170_000));
  }

  async osctl(...words: readonly string[]): Promise<string> {
    return await this.#programs.run('osctl', ...words);
  }

  async code(...words: readonly string[]): Promise<number> {
    return (await this.#programs.try('osctl', ...words)).code;
  }

  async refusal(...words: readonly string[]): Promise<string> {
    const { code, stderr } = await this.#programs.try('osctl', ...words);
    if (code === 0) throw new Error(`osctl ${words.join(' ')} is not refused`);
    return stderr.trim();
  }

  async show(name: string): Promise<View> {
    return JSON.parse(await this.osctl('cluster', 'show', '--name', name, '-o', 'json')) as View;
  }

  cluster(name: string): string {
    return join(this.path, '.os', 'clusters', name);
  }

  /** Remembers by which name the kernel knows what a cluster is made of. */
  async note(name: string): Promise<void> {
    const text = await readFile(join(this.cluster(name), 'plan.json'), 'utf8');
    const { lan } = JSON.parse(text) as { readonly lan: { readonly namespace: string } };
    this.#noted.add(lan.namespace);
  }

  /** What the kernel has of the clusters that were noted: network namespaces and cgroups. */
  kernelNames(): readonly string[] {
    const cgroups = globSync(['/sys/fs/cgroup/os-*', '/sys/fs/cgroup/*/os-*']);
    const there = [...cgroups, ...readdirSync('/run/netns')];
    return there.filter((path) => [...this.#noted].some((name) => basename(path).startsWith(name)));
  }

  /** What is there of all its clusters: processes, namespaces, mounts, cgroups, directories. */
  remains(): readonly string[] {
    const processes = readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join(this.path, '.os', 'clusters'));
      } catch {
        return false; // it has ended
      }
    });
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    return [
      ...processes,
      ...mounts.filter((line) => line.includes(this.path.replaceAll(' ', '\\040'))),
      ...readdirSync(join(this.path, '.os', 'clusters')),
      ...this.kernelNames(),
    ];
  }
}

let image: Promise<string> | undefined;

async function home(t: ExecutionContext): Promise<Home> {
  image ??= buildRelease({ version: first }).then(({ directory }) => join(directory, 'amd64', 'base.sqsh'));
  await image;
  const made = new Home(join(await temporaryDirectory(t), 'a home'));
  t.teardown(async () => {
    const clusters = join(made.path, '.os', 'clusters');
    for (const name of existsSync(clusters) ? readdirSync(clusters) : [])
      await made.osctl('cluster', 'destroy', '--name', name);
  });
  return made;
}

/** Words of a small cluster. */
async function words(
  name: string,
  subnet: string,
  nodes: readonly [number, number],
): Promise<readonly string[]> {
  const [controlplanes, workers] = nodes;
  const flags = [
    `cluster create container --name ${name} --subnet ${subnet}`,
    `--controlplanes ${controlplanes} --workers ${workers} --cpus-workers 1/2`,
    '--memory-controlplanes 512MiB --memory-workers 256MiB --wait-timeout 2',
  ];
  return [...flags.join(' ').split(' '), '--image', (await image) ?? ''];
}

/** Milliseconds that a connection from one node to another takes; the best of five. */
async function connectionMs(namespace: string, address: string): Promise<number> {
  const text = `
    const { connect } = require('node:net');
    let best = Infinity, left = 5;
    const next = () => {
      const began = performance.now();
      const socket = connect(50000, '${address}', () => {
        best = Math.min(best, performance.now() - began);
        socket.destroy();
        left -= 1;
        if (left === 0) console.log(best); else next();
      });
    };
    next();`;
  const inside = [`--net=/run/netns/${namespace}`, '--', process.execPath, '-e', text];
  return Number((await promisify(execFile)('nsenter', inside)).stdout);
}

/** A limit of the cgroup of a node's first process. */
function limitOf(directory: string, index: number, [v1, v2]: readonly [string, string]): string {
  const pid = readFileSync(join(directory, 'nodes', `${index}`, 'container.pid'), 'utf8').trim();
  const lines = readFileSync(`/proc/${pid}/cgroup`, 'utf8').trim().split('\n');
  const [controller = ''] = v1.split('.');
  const line = lines.find((one) => one.split(':')[1]?.split(',').includes(controller)) ?? lines.at(-1) ?? '';
  const [, names = '', path = ''] = line.split(':');
  const file = names === '' ? join('/sys/fs/cgroup', path, v2) : join('/sys/fs/cgroup', controller, path, v1);
  return readFileSync(file, 'utf8').trim();
}

const volume = [
  'apiVersion: v1alpha1',
  'kind: UserVolumeConfig',
  'name: data',
  "provisioning: {diskSelector: {match: 'disk.size > 0u'}, minSize: 1GiB}",
  '',
].join('\n');

/** The certificate of a handshake, whose authority and name have been proven. */
async function shownBy(api: string, ca: string, name: string): Promise<X509Certificate | undefined> {
  const [host = '', port = ''] = api.split(':');
  const isCalled = (_: string, certificate: PeerCertificate) => checkServerIdentity(name, certificate);
  const socket = connect({ host, port: Number(port), ca, checkServerIdentity: isCalled });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerX509Certificate();
  } catch (error) {
    if (codeOf(error) === 'ERR_TLS_CERT_ALTNAME_INVALID') return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}

/** A worker has no key of the cluster: a control plane has signed for it, and does so again when it is called otherwise. */
async function renewsWorker(
  t: ExecutionContext,
  own: Home,
  { plane, worker }: { readonly plane: string; readonly worker: string },
): Promise<void> {
  const specOf = async (node: string, ...what: readonly string[]): Promise<Record<string, unknown>> => {
    const got = await own.osctl('--context', 'three', '-n', node, 'get', ...what, '-o', 'json');
    return (JSON.parse(got) as { readonly spec: Record<string, unknown> }).spec;
  };
  t.like(await specOf(plane, 'signerstatus', 'signer'), { listening: true, port: 50_001 });
  const before = await specOf(worker, 'certificatestatus', 'api');
  t.like(before, { phase: 'ready', signedBy: 'controlPlane', withheld: [], reason: '' });
  const osconfig = join(own.path, '.os/config');
  const { ca = '' } = Osconfig.parse(await readFile(osconfig), osconfig).context('three');
  const former = await shownBy(worker, ca, '10.173.0.5');
  t.is(former?.checkIP('10.173.0.5'), '10.173.0.5');
  t.is(await shownBy(worker, ca, 'renewed.example'), undefined);

  const patch = '{version: v1alpha1, machine: {certSANs: [renewed.example]}}';
  await own.osctl('--context', 'three', '-n', worker, 'patch', 'machineconfig', '-p', patch);
  let renewed: X509Certificate | undefined;
  while (renewed === undefined) renewed = await shownBy(worker, ca, 'renewed.example');
  t.deepEqual(renewed.publicKey.export({ format: 'jwk' }), former?.publicKey.export({ format: 'jwk' }));
  t.not(renewed.serialNumber, former?.serialNumber);
  const after = await specOf(worker, 'certificatestatus', 'api');
  t.like(after, { phase: 'ready', signedBy: 'controlPlane', withheld: [], reason: '' });
  t.true((after['names'] as readonly string[]).includes('renewed.example'));
  t.deepEqual(after['asked'], [{ controlPlane: '10.173.0.2', from: 'endpoint', reason: '' }]);
}

all(
  'a kvstore of three containers and a worker, for which a control plane signs: limits, mounts, ports, chaos between nodes, power, and nothing is left of it',
  async (t) => {
    t.timeout(180_000);
    const own = await home(t);
    const port = await freePort();
    const mounts = ['type=volume,source=shared,target=/var/shared', 'type=tmpfs,target=/scratch,readonly'];
    const more = ['-p', `127.0.0.1:${port}:50000/tcp`, ...mounts.flatMap((mount) => ['--mount', mount])];
    await own.osctl(...(await words('three', '10.173.0.0/24', [3, 1])), ...more);
    await own.note('three');
    t.true(own.kernelNames().length > 5);
    const { nodes, network } = await own.show('three');
    t.deepEqual(
      nodes.map(({ state }) => state),
      ['running', 'running', 'running', 'running'],
    );
    const on = (index: number) => ['--context', 'three', '-n', nodes[index]?.api ?? ''];
    const members = async (): Promise<number> =>
      (await own.osctl(...on(0), 'kvstore', 'members')).trim().split('\n').length - 1;
    t.is(await members(), 3);

    const directory = own.cluster('three');
    t.is(limitOf(directory, 1, ['memory.limit_in_bytes', 'memory.max']), `${512 * 2 ** 20}`);
    t.is(limitOf(directory, 4, ['cpu.cfs_quota_us', 'cpu.max']).split(' ')[0], '50000');
    const pid = readFileSync(join(directory, 'nodes/4/container.pid'), 'utf8').trim();
    const table = await readFile(`/proc/${pid}/mounts`, 'utf8');
    t.regex(table, /^\S+ \/ \S+ ro[, ]/m);
    t.regex(table, /^tmpfs \/scratch tmpfs ro/m);
    await writeFile(join(directory, 'volumes/shared/file'), 'seen by all');
    t.is(await readFile(`/proc/${pid}/root/var/shared/file`, 'utf8'), 'seen by all');
    for (const tree of globSync('.os/cache/images/roots/*', { cwd: own.path }))
      t.false(existsSync(join(own.path, tree, 'scratch')), 'the root of other clusters stays as it is');
    t.is(
      await own.code('--context', 'three', '-n', `127.0.0.1:${port}`, '-e', `127.0.0.1:${port}`, 'version'),
      0,
    );

    const one = `${network.name}-1`;
    t.true((await connectionMs(one, '10.173.0.3')) < 25);
    await own.osctl('cluster', 'chaos', '--name', 'three', '-n', nodes[1]?.name ?? '', '--latency', '30ms');
    t.true((await connectionMs(one, '10.173.0.3')) >= 60, '30 ms in each direction');
    t.true((await connectionMs(one, '10.173.0.4')) < 25, 'others are as before');
    await own.osctl('cluster', 'chaos', '--name', 'three', '--off');
    t.true((await connectionMs(one, '10.173.0.3')) < 25);

    await renewsWorker(t, own, { plane: nodes[0]?.api ?? '', worker: nodes[3]?.api ?? '' });

    const file = join(own.path, 'volume.yaml');
    await writeFile(file, volume);
    t.regex(
      await own.refusal(...on(3), 'patch', 'machineconfig', '--patch', `@${file}`),
      /UserVolumeConfig\/data: a container has no disks/,
    );
    t.regex(
      await own.refusal('cluster', 'disk', 'attach', nodes[3]?.name ?? '', 'virtio:1GiB', '--name', 'three'),
      /is a container, which has no disks/,
    );

    await own.osctl(...on(3), 'reboot');
    const record = JSON.parse(await readFile(join(directory, 'keeper.json'), 'utf8')) as {
      readonly pid: number;
    };
    process.kill(record.pid, 'SIGKILL');
    // The next keeper knows how a node ends that another has started.
    await own.show('three');
    await own.osctl(...on(3), 'shutdown');
    for (;;) {
      const state = (await own.show('three')).nodes[3]?.state;
      if (state === 'off') break;
      if (state !== 'running') throw new Error(`the worker is ${state}`);
    }
    await own.osctl('cluster', 'stop', '--name', 'three', '--grace-period', '20');
    t.deepEqual(own.kernelNames(), []);
    await own.osctl('cluster', 'start', '--name', 'three');
    for (;;) if ((await own.code(...on(0), 'kvstore', 'members')) === 0) break;
    t.is(await members(), 3);
    await own.osctl('cluster', 'destroy', '--name', 'three');
    t.deepEqual(own.remains(), []);
  },
);

all('two clusters, of runc and of crun, have the same network, and each is reached', async (t) => {
  t.timeout(120_000);
  const own = await home(t);
  for (const [name, runtime] of [
    ['one', 'runc'],
    ['other', 'crun'],
  ] as const)
    await own.osctl(...(await words(name, '10.174.0.0/24', [1, 0])), '--runtime', runtime);
  const known = join(own.cluster('other'), 'nodes/1/runtime');
  t.is(readdirSync(known).length, 1);
  const [one, other] = [await own.show('one'), await own.show('other')];
  t.not(one.nodes[0]?.api, other.nodes[0]?.api);
  for (const [name, view] of [
    ['one', one],
    ['other', other],
  ] as const)
    t.is(await own.code('--context', name, '-n', view.nodes[0]?.api ?? '', 'version'), 0);
  await own.osctl('cluster', 'destroy', '--name', 'one');
  t.is(await own.code('--context', 'other', '-n', other.nodes[0]?.api ?? '', 'version'), 0);
  await own.note('other');
  await own.osctl('cluster', 'stop', '--name', 'other', '--grace-period', '20');
  const ended = await readFile(join(own.cluster('other'), 'keeper.log'), 'utf8');
  t.regex(ended, /other-controlplane-1 off \(requested\)/);
  await own.osctl('cluster', 'destroy', '--name', 'other');
  t.deepEqual(own.remains(), []);
});

/** Starts to create a cluster, and kills when it says this. */
async function cutOff(
  own: Home,
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

const steps = [/^network/, /-controlplane-1 is on/, /has its configuration/] as const;

all(
  'whoever is killed at whichever step of creation, the cluster is shown, gone on with, and taken away',
  async (t) => {
    t.timeout(180_000);
    const own = await home(t);
    const args = await words('cut', '10.175.0.0/24', [1, 0]);
    for (const victim of ['client', 'keeper'] as const)
      for (const step of steps) {
        await cutOff(own, args, step, victim);
        const isThere = existsSync(own.cluster('cut'));
        t.is(await own.code('cluster', 'show', '--name', 'cut'), isThere ? 0 : 3, `${victim} ${step}`);
        // A client that sees its keeper die before the nodes run takes away what there is. That the last node is on is said just before
        // they do: the client may have its answer by then, or not.
        if (victim === 'client' || step !== steps[1])
          t.is(isThere, victim === 'client' || step === steps[2], `${victim} ${step}`);
        if (isThere && step !== steps[2]) await own.osctl(...args);
        if (isThere) await own.osctl('cluster', 'destroy', '--name', 'cut');
        t.deepEqual(own.remains(), [], `${victim} ${step}`);
      }
  },
);
