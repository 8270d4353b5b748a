import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { findProgram, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';
import test from 'ava';

import { Lan, Namespace } from '../src/index.ts';
import { hostResolvers } from '../src/resolvers.ts';
import { way } from '../src/uplink-commands.ts';
import { hears, network, speaks } from './nodes.ts';

const [host, far, kept, cloud] = ['198.51.100.1', '198.51.100.2', '203.0.113.7', '169.254.169.254'];
const needs = testWith(root, program('dnsmasq'), program('nft'), program('pasta'), program('busybox'));
const refused = /No route to host|Permission denied/;

/** Made once for all tests of the file: a computer behind this one's only way into the world. */
let world: Promise<Namespace> | undefined;

async function makeWorld(): Promise<Namespace> {
  process.env['PATH'] = `${dirname(findProgram('pasta') ?? '')}:${process.env['PATH']}`;
  const made = new Namespace(`world-${process.pid}`);
  await made.make();
  await output(['ip', 'link', 'add', 'world0', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', made.name]);
  await output(['ip', 'address', 'add', `${host}/24`, 'dev', 'world0']);
  await output(['ip', 'link', 'set', 'world0', 'up']);
  await output(['ip', 'route', 'add', 'default', 'via', far]);
  for (const address of [`${far}/24`, `${kept}/32`, `${cloud}/32`, `${way.gateway}/32`])
    await made.run(['ip', 'address', 'add', address, 'dev', 'eth0']);
  for (const link of ['lo', 'eth0']) await made.run(['ip', 'link', 'set', link, 'up']);
  await speaks(made);
  return made;
}

test.after.always(async () => {
  await (await world)?.remove();
});

/** A program of this computer that greets whoever comes to an address. */
function speakerOf(address: string, port: number): string {
  return `require('node:net').createServer((socket) => socket.end('from loopback')).listen(${port}, '${address}', () => console.log('listens'))`;
}

/** In a network: another namespace on its bridge, as a machine is on its tap, which calls an address; what it hears. */
const guestOnBridge = `unshare --net sh -c 'echo; exec sleep infinity' >ready & guest=$!
trap 'kill $guest' EXIT
until [ -s ready ]; do sleep 0.01; done
ip link add near type veth peer name eth0 netns $guest
ip link set near master br0 up
in="nsenter --net=/proc/$guest/ns/net"
$in ip address add 10.94.0.2/24 dev eth0
$in ip link set eth0 up
$in ip route add default via 10.94.0.1
$in bash -c "cat </dev/tcp/$1/8080"`;

/** A process is gone; who waits for it has a limit of its own. */
async function gone(pid: string): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await systemClock.sleep(10);
}

async function pidIn(directory: string): Promise<string> {
  return (await readFile(join(directory, 'pasta.pid'), 'utf8')).trim();
}

needs(
  'a node reaches the world as this computer, and neither its loopback nor what knows computers by their links',
  async (t) => {
    const { spec, directory, node } = await network(t, 91);
    const outside = await (world ??= makeWorld());
    const [resolver] = await hostResolvers(spec);
    if (resolver !== undefined) {
      await outside.run(['ip', 'address', 'add', `${resolver}/32`, 'dev', 'eth0']);
      const answers = ['--no-resolv', '--no-hosts', `--address=/some.example/${kept}`, '--pid-file='];
      const server = [
        'dnsmasq',
        '-k',
        '-C',
        '/dev/null',
        `--listen-address=${resolver}`,
        '--bind-interfaces',
        ...answers,
      ];
      const [file, ...words] = outside.inside(server);
      spawn(file, words, { stdio: 'ignore' });
    }
    const lan = await Lan.open({ ...spec, withoutMasquerade: ['203.0.113.9/24', 'fd00::/8'] }, directory);
    t.is(await lan.noWayOut, undefined);
    t.is(await lan.doorsAlone, undefined);
    t.is(await hears(node, far, 8080), `::ffff:${host}`);
    for (const address of [kept, cloud]) t.regex(await hears(node, address, 8080), refused, address);
    t.is(await hears(lan.namespace, kept, 8080), `::ffff:${host}`, 'it is there');
    const service = ['-e', speakerOf('127.0.0.1', 8080)];
    const loopback = spawn(process.execPath, service, { stdio: ['ignore', 'pipe', 'inherit'] });
    t.teardown(() => loopback.kill());
    await once(loopback.stdout, 'data');
    t.is(await hears(lan.namespace, way.gateway, 8080), `::ffff:${host}`, 'it is no other name of loopback');
    t.regex(await hears(node, way.gateway, 8080), refused);
    if (resolver !== undefined) {
      const names = await output(
        node.inside(['busybox', 'nslookup', '-type=a', 'some.example', spec.gateway]),
      );
      t.regex(names, /Address[^\n]*: 203\.0\.113\.7/);
    }
    await lan.remove();
  },
);

needs('a way out that was killed is there again, and ends with who serves the network', async (t) => {
  const { spec, directory, node } = await network(t, 92);
  await (world ??= makeWorld());
  const said = Promise.withResolvers<void>();
  const lan = await Lan.open(spec, directory, (line) => {
    if (line === 'pasta serves again') said.resolve();
  });
  t.is(await lan.noWayOut, undefined);
  const first = await pidIn(directory);
  process.kill(Number(first), 'SIGKILL');
  await said.promise;
  t.is(await hears(node, far, 8080), `::ffff:${host}`);
  const second = await pidIn(directory);
  t.not(second, first);
  await lan.close();
  t.false(existsSync(`/proc/${second}`));
  const script = `import(process.argv[1]).then(async ({ Lan }) => {
    const lan = await Lan.open(JSON.parse(process.argv[2]), process.argv[3]);
    console.log(String(await lan.noWayOut));
  })`;
  const argv = ['--conditions=source', '-e', script, join(import.meta.dirname, '../src/index.ts')];
  const owner = spawn(process.execPath, [...argv, JSON.stringify(spec), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.is(String((await once(owner.stdout, 'data'))[0]), 'undefined\n');
  const third = await pidIn(directory);
  owner.kill('SIGKILL');
  await gone(third);
  const next = await Lan.open(spec, directory);
  t.is(await next.noWayOut, undefined);
  t.is(await hears(node, far, 8080), `::ffff:${host}`);
  await next.remove();
});

needs('without an uplink, as with --airgapped, nothing forwards and nothing leads out', async (t) => {
  const { spec, directory } = await network(t, 93);
  await (world ??= makeWorld());
  const { uplink: _, ...airgapped } = spec;
  const lan = await Lan.open(airgapped, directory);
  t.is(await lan.noWayOut, 'its network has no uplink');
  t.is(await lan.namespace.run(['cat', '/proc/sys/net/ipv4/ip_forward']), '0\n');
  t.notRegex(await lan.namespace.ip(['-o', 'link']), /up0|out0/);
  t.notRegex(await lan.namespace.ip(['route']), /default/);
  t.notRegex(await readFile(join(directory, 'dnsmasq.conf'), 'utf8'), /^server=/m);
  await lan.remove();
});

needs('without root the way out is the same, and goes with the network', async (t) => {
  const { spec } = await network(t, 94);
  await (world ??= makeWorld());
  const home = await temporaryDirectory(t);
  const uid = 54_325;
  await chown(home, uid, uid);
  const rootless = { ...spec, namespace: `${spec.namespace}-u`, hosts: [] };
  const file = join(home, 'own.mjs');
  await writeFile(
    file,
    `const [index, spec, directory, address, script] = process.argv.slice(2);
    const { Lan } = await import(index);
    const lan = await Lan.open(JSON.parse(spec), directory);
    process.chdir(directory);
    const why = [await lan.noWayOut, await lan.doorsAlone];
    const heard = await lan.namespace.run(['sh', '-c', script, 'sh', address]);
    await lan.remove();
    console.log(JSON.stringify([...why, heard]));`,
  );
  const who = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--bounding-set=-all', '--no-new-privs'];
  const words = [
    join(import.meta.dirname, '../src/index.ts'),
    JSON.stringify(rootless),
    join(home, 'lan'),
    far,
    guestOnBridge,
  ];
  const shown = await output([
    'setpriv',
    ...who,
    '--',
    process.execPath,
    '--conditions=source',
    file,
    ...words,
  ]);
  t.deepEqual(JSON.parse(shown), [null, 'routes are for root to make', `::ffff:${host}`]);
  t.false(existsSync(`/proc/${await pidIn(join(home, 'lan'))}`));
});
