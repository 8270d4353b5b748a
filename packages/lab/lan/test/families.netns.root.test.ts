import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import {
  command,
  output,
  privateNetwork,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { Lan, type LanSpec, Namespace } from '../src/index.ts';

const dhcpcd = fileURLToPath(new URL('../../../../.cache/dhcpcd/dhcpcd', import.meta.url));
const mac = '02:00:00:00:00:01';
const [four, six] = [
  { cidr: '10.5.0.0/24', gateway: '10.5.0.1' },
  { cidr: 'fd00:1::/64', gateway: 'fd00:1::1' },
];

/** The client of the node, which keeps nothing and asks until it has all that there is. */
const client = `mount -t tmpfs none /run && mount -t tmpfs none /var && mkdir -p /var/lib/dhcpcd
exec "$@"`;

/** A machine of its own on the bridge of a network; what its card has when the client ends. */
async function lease(t: ExecutionContext, lan: Lan, card: string, options: readonly string[]) {
  const guest = new Namespace(`${lan.namespace.name}-${card.slice(-2)}`);
  await guest.make();
  t.teardown(() => guest.remove());
  const near = `near${card.slice(-2)}`;
  const pair = ['ip', 'link', 'add', near, 'type', 'veth', 'peer', 'name', 'eth0', 'address', card];
  await lan.namespace.run([...pair, 'netns', guest.name]);
  await lan.namespace.run(['ip', 'link', 'set', near, 'master', 'br0', 'up']);
  for (const link of ['lo', 'eth0']) await guest.run(['ip', 'link', 'set', link, 'up']);
  const flags = ['--config', '/dev/null', '--script', '/dev/null', '--noarp', '--noipv4ll', '--persistent'];
  const argv = [dhcpcd, ...flags, '--oneshot', ...options, 'eth0'];
  await command(['unshare', '--mount', ...guest.inside(['sh', '-c', client, 'sh', ...argv])]);
  const [link] = JSON.parse(await guest.run(['ip', '-j', 'address', 'show', 'eth0'])) as readonly {
    readonly addr_info: readonly {
      readonly local: string;
      readonly scope: string;
      readonly prefixlen: number;
    }[];
  }[];
  const addresses = (link?.addr_info ?? []).filter(({ scope }) => scope === 'global');
  return { guest, addresses: addresses.map(({ local, prefixlen }) => `${local}/${prefixlen}`).toSorted() };
}

const networks: readonly (readonly [
  string,
  Partial<LanSpec>,
  readonly string[],
  readonly string[],
  number,
])[] = [
  ['both', { ...four, ipv6: six }, ['--waitip=4', '--waitip=6'], ['10.5.0.2/24', 'fd00:1::2/128'], 50_000],
  ['IPv6 alone', six, ['--ipv6only', '--waitip=6'], ['fd00:1::2/128'], 50_001],
];

/** Made once for all tests of the file. */
let own: Promise<void> | undefined;

for (const [name, families, options, leased, door] of networks)
  testWith(
    root,
    program('dnsmasq'),
    program('busybox'),
  )(`a node has its addresses of ${name} by DHCP, and what the gateway has at each`, async (t) => {
    await (own ??= privateNetwork());
    const directory = await temporaryDirectory(t);
    const service = createServer((socket) => socket.on('error', () => {}).end('from the host')).listen(
      0,
      '127.0.0.1',
    );
    await once(service, 'listening');
    t.teardown(() => service.close());
    const { port } = service.address() as AddressInfo;
    const isDual = families.ipv6 !== undefined;
    const host = { name: 'one', mac, tap: 'tap0-0', address: isDual ? '10.5.0.2' : 'fd00:1::2' };
    const spec: LanSpec = {
      ...four,
      ...families,
      namespace: `os-${basename(directory)}`,
      mtu: 1400,
      domain: 'example.cluster',
      hosts: [{ ...host, ...(isDual && { address6: 'fd00:1::2' }) }],
      doors: [{ listen: { address: '127.5.0.1', port: door }, target: { address: six.gateway, port: 8081 } }],
      outlets: [{ port: 8081, target: { address: '127.0.0.1', port } }],
    };
    t.teardown(() => new Namespace(spec.namespace).remove());
    const lan = await Lan.open(spec, directory);
    t.teardown(() => lan.close());
    const { guest, addresses } = await lease(t, lan, mac, ['--timeout=30', ...options]);
    t.deepEqual(addresses, leased);
    for (const gateway of isDual ? [four.gateway, six.gateway] : [six.gateway])
      t.is(await output(guest.inside(['bash', '-c', `cat </dev/tcp/${gateway}/8081`])), 'from the host');
    const names = await output(guest.inside(['busybox', 'nslookup', 'one.example.cluster', six.gateway]));
    const found = [...names.matchAll(/^Address(?: \d+)?: (\S+)/gm)].map(([, each = '']) => each);
    t.deepEqual(found.toSorted(), [...(isDual ? ['10.5.0.2'] : []), 'fd00:1::2']);
    t.is(await text(connect({ host: '127.5.0.1', port: door })), 'from the host');
    if (isDual) {
      const stranger = await lease(t, lan, '02:00:00:00:00:99', ['--timeout=3', ...options]);
      t.deepEqual(stranger.addresses, []);
    }
    await lan.remove();
  });
