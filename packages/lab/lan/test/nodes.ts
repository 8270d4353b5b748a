import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';

import { command, privateNetwork, temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { type LanSpec, Namespace, removeNetwork } from '../src/index.ts';

/** Made once for all tests of the file. */
let own: Promise<void> | undefined;

/** A network of both families with one node, which has a namespace of its own. */
export async function network(t: ExecutionContext, octet: number) {
  await (own ??= privateNetwork());
  const directory = await temporaryDirectory(t);
  const namespace = `os-${basename(directory)}`;
  const host = { name: 'one', mac: '02:00:00:00:00:01', tap: 'tap0-0', namespace: `${namespace}-1` };
  const spec: LanSpec = {
    namespace,
    cidr: `10.${octet}.0.0/24`,
    gateway: `10.${octet}.0.1`,
    ipv6: { cidr: `fd00:${octet}::/64`, gateway: `fd00:${octet}::1` },
    mtu: 1400,
    domain: 'example.cluster',
    hosts: [{ ...host, address: `10.${octet}.0.2`, address6: `fd00:${octet}::2` }],
    doors: [],
    outlets: [],
    uplink: true,
  };
  t.teardown(() => removeNetwork(spec));
  return { spec, directory, node: new Namespace(host.namespace) };
}

/** Says from inside a namespace who called, to each who calls; its port is 8080. */
const speaker = `require('node:net').createServer((socket) => socket.end(socket.remoteAddress)).listen(8080, '::', () => console.log('listens'));setInterval(() => {}, 1e6)`;

/** Resolves when it does. */
export async function speaks(node: Namespace): Promise<void> {
  const [file, ...words] = node.inside([process.execPath, '-e', speaker]);
  const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
}

/** What a program in a namespace hears that wants a connection; it is told at once that it gets none. */
export async function hears(namespace: Namespace, address: string, port: number): Promise<string> {
  const argv = ['timeout', '60', 'bash', '-c', `exec 3<>/dev/tcp/${address}/${port} && cat <&3`];
  const { stdout, stderr } = await command(namespace.inside(argv));
  return stdout === ''
    ? (/No route to host|Permission denied|timed out/i.exec(stderr)?.[0] ?? stderr)
    : stdout;
}
