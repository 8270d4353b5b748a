import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Store } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { leaseNames } from '../src/dhcp/definitions.ts';
import { leaseController } from '../src/dhcp/lease-controller.ts';
import { leaseNamesOf } from '../src/dhcp/lease-names.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { runControllers, until } from './controllers.ts';

/** As dhcpcd 9.4.1 prints it. */
const bound = `reason=BOUND
interface=v0
protocol=dhcp
ip_address=10.77.0.10
routers=10.77.0.1
domain_name_servers=10.77.0.53 10.77.0.54
host_name=node-a
domain_name=example.test
dhcp_lease_time=3600
ntp_servers=10.77.0.123 10.77.0.124
domain_search=a.example.test b.example.test
`;

test('a lease says who is asked for names and the time, and where names are looked for', (t) => {
  t.deepEqual(leaseNamesOf(bound), {
    layer: 'operator',
    nameservers: [{ address: '10.77.0.53' }, { address: '10.77.0.54' }],
    searchDomains: ['a.example.test', 'b.example.test'],
    hostname: 'node-a',
    timeServers: ['10.77.0.123', '10.77.0.124'],
  });
});

test('without a search list the domain of the network is searched', (t) => {
  t.like(leaseNamesOf(bound.replace(/^domain_search=.*$/mu, '')), { searchDomains: ['example.test'] });
});

test('a network without names is one: nobody, and nothing, is asked for', (t) => {
  t.deepEqual(leaseNamesOf('reason=BOUND\n'), { layer: 'operator', nameservers: [] });
});

test('what has no lease says nothing', (t) => {
  for (const text of ['', bound.replace('BOUND', 'EXPIRE'), bound.replace('BOUND', 'CARRIER'), 'reason'])
    t.is(leaseNamesOf(text), undefined);
});

test('what whoever answers on a network has made up is left out', (t) => {
  const text = [
    'reason=RENEW',
    'domain_name_servers=10.0.0.1 10.0.0 $(reboot) ::1 10.0.0.1 fe80::1%eth0;x',
    'domain_search=ok.test .. -a.test a..b a\u0000b search\toptions ' + 'x'.repeat(254),
    'host_name=a;b',
    'ntp_servers=10.0.0.1 pool.example 1\u0000',
  ].join('\n');
  t.deepEqual(leaseNamesOf(text), {
    layer: 'operator',
    nameservers: [{ address: '10.0.0.1' }, { address: '::1' }],
    searchDomains: ['ok.test', 'search', 'options'],
    timeServers: ['10.0.0.1'],
  });
  const many = Array.from({ length: 100 }, (_, index) => `10.0.1.${index}`).join(' ');
  const found = leaseNamesOf(`reason=BOUND\ndomain_name_servers=${many}`) as { nameservers: unknown[] };
  t.is(found.nameservers.length, 16);
});

test('each interface with a lease is shown, and no more when it has none', async (t) => {
  const interfaces = await temporaryDirectory(t);
  for (const name of ['eth0', 'eth1']) {
    await mkdir(join(interfaces, name, 'device'), { recursive: true });
    await writeFile(join(interfaces, name, 'type'), '1\n');
  }
  const clock = new FakeClock();
  const leases: Record<string, string> = { eth0: bound };
  const store = new Store();
  runControllers(t, store, leaseController({ clock, interfaces, dump: async (name) => leases[name] ?? '' }));
  const kind = kindOf(leaseNames);
  await until(store, kind, (all) => all.length === 1 && all[0]?.metadata.id === 'eth0');
  leases['eth1'] = bound;
  delete leases['eth0'];
  clock.skip();
  const [left] = await until(store, kind, (all) => all.length === 1 && all[0]?.metadata.id === 'eth1');
  t.like(left?.spec, { hostname: 'node-a' });
});
