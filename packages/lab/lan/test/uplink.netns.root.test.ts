import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { output, program, root, testWith } from '@nodecore/testkit';

import { hasUplink, Lan, Namespace, removeNetwork } from '../src/index.ts';
import { linkOf } from '../src/uplink-commands.ts';
import { hears, network, speaks } from './nodes.ts';

function call(host: string): Promise<string> {
  return text(connect({ host, port: 8080, signal: AbortSignal.timeout(20_000) }));
}

/** What the host has, when the kernel is done with the addresses of IPv6: it makes their local routes a moment later. */
async function hostState(): Promise<readonly string[]> {
  for (;;) {
    const [links, routes] = (
      await Promise.all([
        output(['ip', '-j', '-6', 'addr']),
        output(['ip', '-j', '-6', 'route', 'show', 'table', 'local']),
      ])
    ).map((text) => JSON.parse(text)) as [
      readonly { readonly addr_info: readonly { readonly local: string; readonly scope: string }[] }[],
      readonly { readonly dst: string }[],
    ];
    const addresses = links.flatMap(({ addr_info }) =>
      addr_info.filter(({ scope }) => scope === 'global').map(({ local }) => local),
    );
    if (addresses.every((address) => routes.some(({ dst }) => dst === address))) break;
  }
  const all = ['-j addr', '-j link', '-j route show table all', 'rule', 'neighbour'];
  const shown = await Promise.all(all.map((words) => output(['ip', ...words.split(' ')])));
  return [...shown, await output(['nft', 'list', 'ruleset'])];
}

const refused = /No route to host|Permission denied/;

testWith(
  root,
  program('dnsmasq'),
  program('nft'),
)(
  'the host reaches a node at its addresses, who sees the gateway and begins nothing towards the host',
  async (t) => {
    const { spec, directory, node } = await network(t, 81);
    const before = await hostState();
    const lan = await Lan.open(spec, directory);
    t.is(await lan.doorsAlone, undefined);
    await speaks(node);
    t.is(await call('10.81.0.2'), '::ffff:10.81.0.1');
    t.is(await call('fd00:81::2'), 'fd00:81::1');
    const service = createServer((socket) => socket.end('from the host')).listen(0, '::');
    await once(service, 'listening');
    t.teardown(() => service.close());
    const { port } = service.address() as AddressInfo;
    const hosts = linkOf(spec).families.map(({ host }) => host);
    for (const host of hosts) t.is(await text(connect({ host, port })), 'from the host');
    // Nor does what serves the network.
    const asked = [node, lan.namespace].flatMap((each) => hosts.map((host) => hears(each, host, port)));
    for (const heard of await Promise.all(asked)) t.regex(heard, refused);
    await lan.remove();
    t.deepEqual(await hostState(), before);
  },
);

testWith(
  root,
  program('dnsmasq'),
  program('nft'),
)('who sends through the host does not reach a node, though the host forwards', async (t) => {
  const { spec, directory, node } = await network(t, 82);
  const lan = await Lan.open(spec, directory);
  await Promise.all([lan.doorsAlone, speaks(node)]);
  const neighbour = new Namespace(`${spec.namespace}-near`);
  await neighbour.make();
  t.teardown(() => neighbour.remove());
  const cable = ['type', 'veth', 'peer', 'name', 'eth0', 'netns', neighbour.name];
  await output(['ip', 'link', 'add', 'near82', ...cable]);
  await output(['ip', 'address', 'add', '192.0.2.1/24', 'dev', 'near82']);
  await output(['ip', 'link', 'set', 'near82', 'up']);
  await writeFile('/proc/sys/net/ipv4/ip_forward', '1');
  await neighbour.run(['ip', 'address', 'add', '192.0.2.2/24', 'dev', 'eth0']);
  await neighbour.run(['ip', 'link', 'set', 'eth0', 'up']);
  await neighbour.run(['ip', 'route', 'add', 'default', 'via', '192.0.2.1']);
  // What answers is the network: without a way back to the neighbour nothing would say so.
  const { host } = linkOf(spec).families[0]!;
  await lan.namespace.run(['ip', 'route', 'add', '192.0.2.0/24', 'via', host]);
  t.is(await call('10.82.0.2'), '::ffff:10.82.0.1');
  const asked = ['10.82.0.2', '10.82.0.1'].map((address) => hears(neighbour, address, 8080));
  for (const heard of await Promise.all(asked)) t.regex(heard, refused);
  await output(['ip', 'link', 'delete', 'near82']);
  await lan.remove();
});

testWith(
  root,
  program('dnsmasq'),
  program('nft'),
)(
  'where the host has an address of the network it keeps its own, and the nodes are reached through doors alone',
  async (t) => {
    const { spec, directory } = await network(t, 83);
    const first = await Lan.open(spec, directory);
    await first.doorsAlone;
    t.true(await hasUplink(spec.namespace));
    const other = { ...spec, namespace: `${spec.namespace}-x`, hosts: [] };
    t.teardown(() => removeNetwork(other));
    const before = await hostState();
    const second = await Lan.open(other, join(directory, 'x'));
    const { outside } = linkOf(spec);
    t.is(
      await second.doorsAlone,
      `this computer has 10.83.0.0/24 at ${outside}, and 10.83.0.0/24 overlaps it`,
    );
    t.deepEqual(await hostState(), before);
    await second.remove();
    await first.close();
    await output(['ip', 'link', 'add', 'vpn0', 'type', 'bridge']);
    await output(['ip', 'address', 'add', '10.83.0.77/32', 'dev', 'vpn0']);
    await output(['ip', 'link', 'set', 'vpn0', 'up']);
    const again = await Lan.open(spec, directory);
    t.is(await again.doorsAlone, 'this computer has 10.83.0.77 at vpn0, and 10.83.0.0/24 overlaps it');
    t.false(await hasUplink(spec.namespace), 'what was there is not in the way of what came');
    await output(['ip', 'link', 'delete', 'vpn0']);
    await again.remove();
  },
);

testWith(
  root,
  program('dnsmasq'),
  program('nft'),
)('who serves the network next has its uplink as it was, or mends it', async (t) => {
  const { spec, directory, node } = await network(t, 84);
  const first = await Lan.open(spec, directory);
  await speaks(node);
  await first.close();
  t.is(await call('10.84.0.2'), '::ffff:10.84.0.1', 'it goes on when nobody serves');
  const whole = await hostState();
  const second = await Lan.open(spec, directory);
  t.is(await second.doorsAlone, undefined);
  t.deepEqual(await hostState(), whole);
  await second.close();
  await output(['ip', 'route', 'delete', '10.84.0.0/24']);
  await first.namespace.run(['nft', 'flush', 'ruleset']);
  const third = await Lan.open(spec, directory);
  await third.doorsAlone;
  t.is(await call('10.84.0.2'), '::ffff:10.84.0.1');
  await third.close();
  await output(['ip', 'link', 'delete', linkOf(spec).outside]);
  const fourth = await Lan.open(spec, directory);
  await fourth.doorsAlone;
  t.is(await call('10.84.0.2'), '::ffff:10.84.0.1');
  await fourth.remove();
});
