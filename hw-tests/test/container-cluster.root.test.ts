import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { X509Certificate } from 'node:crypto';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { promisify } from 'node:util';

import { Osconfig } from '@nodecore/api';
import { codeOf } from '@nodecore/sys';
import type { ExecutionContext } from 'ava';

import { secretsInTexts, secretsOfFiles, whereSecretsStand } from '../src/system/secrets.ts';
import { freePort } from './agent-node.ts';
import type { ClusterHome } from './cluster-home.ts';
import { home, withContainers, words, wordsOf } from './container-home.ts';

/** What the nodes of a cluster have said. */
async function consoles(directory: string): Promise<string> {
  const files = globSync(join(directory, 'nodes', '*', 'console.log'));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
}

/** Milliseconds that a connection from one node to another takes; the best of ten, as processors are busy. */
async function connectionMs(namespace: string, address: string): Promise<number> {
  const text = `
    const { connect } = require('node:net');
    let best = Infinity, left = 10;
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
  own: ClusterHome,
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

withContainers(
  'a kvstore of three containers and a worker, for which a control plane signs: limits, mounts, ports, chaos between nodes, power, and nothing is left of it',
  async (t) => {
    t.timeout(420_000);
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
    t.true((await connectionMs(one, '10.173.0.3')) < 100);
    await own.osctl('cluster', 'chaos', '--name', 'three', '-n', nodes[1]?.name ?? '', '--latency', '100ms');
    t.true((await connectionMs(one, '10.173.0.3')) >= 200, '100 ms in each direction');
    t.true((await connectionMs(one, '10.173.0.4')) < 100, 'others are as before');
    await own.osctl('cluster', 'chaos', '--name', 'three', '--off');
    t.true((await connectionMs(one, '10.173.0.3')) < 100);

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
    // Nobody is left to lead: it is not waited for.
    t.notRegex(await consoles(directory), /leader transfer took too long/);
    await own.osctl('cluster', 'start', '--name', 'three');
    for (;;) if ((await own.code(...on(0), 'kvstore', 'members')) === 0) break;
    t.is(await members(), 3);
    await own.osctl('cluster', 'destroy', '--name', 'three');
    t.deepEqual(own.remains(), []);
  },
);

withContainers(
  'two clusters, of runc and of crun, have the same network, and each is reached; what the factory of the checkout makes for one is the root of the other',
  async (t) => {
    t.timeout(300_000);
    const own = await home(t);
    await own.osctl(...(await words('one', '10.174.0.0/24', [1, 0])), '--runtime', 'runc');
    await own.osctl(...wordsOf('other', '10.174.0.0/24', [1, 0]), '--runtime', 'crun');
    const log = await readFile(join(own.cluster('other'), 'keeper.log'), 'utf8');
    t.regex(log, /image http:\/\/127\.0\.0\.1:\d+\/image\/376567988ad3\w+\/\S+\/initramfs-amd64\.xz$/m);
    t.is(globSync('.os/cache/images/roots/*', { cwd: own.path }).length, 1);
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
  },
);

withContainers(
  'nodes have addresses of IPv6 alone, and do all by them; no secret of theirs is where it does not belong',
  async (t) => {
    t.timeout(300_000);
    const own = await home(t);
    await own.osctl(...(await words('six', 'fd73:5::/64', [1, 1])));
    await own.note('six');
    const { nodes, network } = await own.show('six');
    for (const [index, address] of ['fd73:5::2', 'fd73:5::3'].entries()) {
      const inside = [`--net=/run/netns/${network.name}-${index + 1}`, '--', 'ip', '-j', 'address'];
      const { stdout } = await promisify(execFile)('nsenter', inside);
      t.true(stdout.includes(`"${address}"`));
      t.deepEqual(
        [...stdout.matchAll(/"family":"inet","local":"([^"]+)"/g)].map(([, own4]) => own4),
        ['127.0.0.1'],
      );
    }
    const [plane = '', worker = ''] = nodes.map(({ api }) => api);
    t.regex(
      await own.osctl('--context', 'six', '-n', plane, 'kvstore', 'members'),
      /https:\/\/\[fd73:5::2\]:2379/,
    );
    // Passed on by the control plane, to the address that the worker has in its network.
    const passed = ['--context', 'six', '-e', plane, '-n', 'fd73:5::3', 'get', 'certificatestatus', 'api'];
    const { spec } = JSON.parse(await own.osctl(...passed, '-o', 'json')) as { readonly spec: object };
    t.like(spec, { phase: 'ready', signedBy: 'controlPlane', withheld: [] });
    t.like(spec, { asked: [{ controlPlane: '[fd73:5::2]', from: 'endpoint', reason: '' }] });
    t.is(await own.code('--context', 'six', '-n', worker, 'version'), 0);
    await leavesNoSecrets(t, own, 'six');
    t.deepEqual(own.remains(), []);
  },
);

/** Command lines of all processes here, which anybody reads. */
function commandLines(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      found.set(`arguments of ${pid}`, readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    } catch {
      // It has ended.
    }
  return found;
}

/** Destroys a cluster with both of its archives; its secrets are in neither, nor in a log, nor on a command line. */
async function leavesNoSecrets(t: ExecutionContext, own: ClusterHome, name: string): Promise<void> {
  const directory = own.cluster(name);
  const secrets = await secretsOfFiles([join(directory, 'secrets', '*'), join(own.path, '.os', 'config')]);
  t.true(secrets.length > 5);
  t.deepEqual(secretsInTexts(secrets, commandLines()), []);
  const logs = globSync('**/*.log', { cwd: directory }).map((path) => join(directory, path));
  t.true(logs.some((path) => path.endsWith('keeper.log')));
  t.deepEqual(await whereSecretsStand(secrets, logs), []);
  const [support, archive] = [join(own.path, 'support.zip'), join(own.path, 'logs.tar.gz')];
  const flags = ['--save-support-archive-path', support, '--save-cluster-logs-archive-path', archive];
  await own.osctl('cluster', 'destroy', '--name', name, ...flags);
  const opened = join(own.path, 'opened');
  await mkdir(opened);
  await promisify(execFile)('tar', ['--extract', '--file', archive, '--directory', opened]);
  await promisify(execFile)('unzip', ['-q', support, '-d', join(opened, 'support')]);
  t.true(globSync('support/**/*', { cwd: opened }).length > 10);
  t.deepEqual(await whereSecretsStand(secrets, [opened]), []);
}
