import { Resolver } from 'node:dns/promises';

import { program, testWith } from '@nodecore/testkit';

import { HostDns } from '../src/resolver/host-dns.ts';
import { dnsmasq } from '../../../network/dns/test/fixtures/dnsmasq.ts';

testWith(program('dnsmasq'))(
  'a program of the node gets the answer of a real server, and none when it stopped',
  async (t) => {
    const port = await dnsmasq(t, '--host-record=node.example,10.1.2.3');
    await using hostDns = new HostDns({ address: '127.0.0.1', port: 0 });
    await hostDns.answer([{ address: '127.0.0.1', port, protocol: 'Do53' }]);
    const client = new Resolver({ timeout: 5000, tries: 1 });
    client.setServers([`127.0.0.1:${hostDns.address?.port ?? 0}`]);
    t.deepEqual(await client.resolve4('node.example'), ['10.1.2.3']);
    t.like(hostDns.health[0], { isHealthy: true, answers: 1 });
    await hostDns.stop();
    await t.throwsAsync(client.resolve4('node.example'));
  },
);
