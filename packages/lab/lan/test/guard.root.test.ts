import { command, program, root, testWith } from '@nodecore/testkit';

import { guardHosts, guardRules } from '../src/guard.ts';
import type { Namespace } from '../src/index.ts';
import { twoGuests } from './guests.ts';

const all = testWith(root, program('dnsmasq'), program('nft'), program('busybox'));

async function answers(guest: Namespace, words: readonly string[]): Promise<boolean> {
  const { stdout } = await command(guest.inside(['busybox', 'ping', '-c', '1', '-W', '1', ...words]));
  return stdout.includes(' 1 packets received');
}

const server = `const socket = require('node:dgram').createSocket('udp4');
socket.bind(67, () => socket.send('offer', 68, '10.5.0.3', () => socket.close()));`;

all(
  'a machine that takes the address of another, or speaks as the gateway, is heard by nobody',
  async (t) => {
    const { lan, spec, directory, guests } = await twoGuests(t);
    const [one, two] = guests as [Namespace, Namespace];
    await guardHosts(lan.namespace, spec, directory); // their cables are other devices than the taps were
    const dropped = async (what: string): Promise<number> => {
      const lines = (await lan.namespace.run(['nft', 'list', 'chain', 'netdev', 'guard', 'tap1_0'])).split(
        '\n',
      );
      const counts = lines
        .filter((line) => line.includes(what))
        .map((line) => /packets (\d+)/.exec(line)?.[1]);
      return counts.reduce((sum, count) => sum + Number(count), 0);
    };
    t.true(await answers(one, ['10.5.0.1']));
    t.true(await answers(one, ['10.5.0.3']), 'neighbours reach each other');
    for (const what of ['ether saddr', 'ip saddr', 'udp sport']) t.is(await dropped(what), 0, what);

    await one.run(['ip', 'address', 'add', '10.5.0.9/24', 'dev', 'eth0']);
    t.true(await answers(one, ['-I', '10.5.0.9', '10.5.0.1']), 'an address that is nobody’s may be shared');
    await one.run(['ip', 'address', 'add', '10.5.0.3/32', 'dev', 'eth0']);
    t.false(await answers(one, ['-I', '10.5.0.3', '10.5.0.1']));
    t.true((await dropped('ip saddr')) > 0);

    await one.run(['ip', 'link', 'set', 'dev', 'eth0', 'address', spec.hosts[1]?.mac ?? '']);
    t.false(await answers(one, ['-I', '10.5.0.2', '10.5.0.1']));
    t.true((await dropped('ether saddr')) > 0);
    await one.run(['ip', 'link', 'set', 'dev', 'eth0', 'address', spec.hosts[0]?.mac ?? '']);

    await one.run(['ip', 'address', 'delete', '10.5.0.3/32', 'dev', 'eth0']);
    await one.run([process.execPath, '-e', server]);
    t.is(await dropped('udp sport'), 1);
    t.true(await answers(two, ['10.5.0.1']), 'the other one is as before');
  },
);

all('of IPv6 the same holds, and only the gateway advertises itself as a router', async (t) => {
  const { lan, spec, directory } = await twoGuests(t);
  const hosts = spec.hosts.map((host, index) => ({ ...host, address6: `fd00:5::${index + 2}` }));
  const both = { ...spec, ipv6: { cidr: 'fd00:5::/64', gateway: 'fd00:5::1' }, hosts };
  const rules = guardRules(both);
  t.true(rules.includes('ip6 saddr { fd00:5::1, fe80::1, fd00:5::3 } counter drop'), rules);
  t.true(rules.includes('nd-neighbor-advert @th,64,128 0xfd000005000000000000000000000003 counter drop'));
  t.true(rules.includes('icmpv6 type { nd-router-advert, nd-redirect } counter drop'));
  await guardHosts(lan.namespace, both, directory); // nft takes it
  t.true((await lan.namespace.run(['nft', 'list', 'table', 'netdev', 'guard'])).includes('nd-redirect'));
});
