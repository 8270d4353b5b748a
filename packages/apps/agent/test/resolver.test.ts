import { parse } from '@nodecore/config';
import { type Resource, Store } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { leaseNames } from '../src/dhcp/definitions.ts';
import { hostnameStatuses } from '../src/names/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { resolverSpecs, resolverStatuses } from '../src/resolver/definitions.ts';
import { HostDns } from '../src/resolver/host-dns.ts';
import { resolverController } from '../src/resolver/resolver.ts';
import { resolvConf, resolverSpec, wantedResolver } from '../src/resolver/wanted.ts';
import { runControllers, until } from './controllers.ts';

const spec = (layer: string, fields: object): Resource =>
  ({ metadata: { id: layer }, spec: { layer, ...fields } }) as unknown as Resource;
const servers = (...addresses: readonly string[]): object => ({
  nameservers: addresses.map((address) => ({ address })),
});

const nowhere = (): Promise<void> => Promise.resolve();

test('of each field the strongest layer counts that has it', (t) => {
  const all = [
    spec('default', { ...servers('1.1.1.1'), searchDomains: [] }),
    spec('operator', { ...servers('10.0.0.1'), searchDomains: ['lan'] }),
    spec('configuration', { hostDns: true }),
  ];
  const doh = { address: '10.0.0.1', protocol: 'Do53' } as const;
  t.deepEqual(wantedResolver(all, 'example.org'), {
    nameservers: [doh],
    searchDomains: ['example.org', 'lan'],
    hostDns: true,
  });
  const explicit = spec('configuration', { searchDomains: [], disableDefault: true, nameservers: [] });
  t.deepEqual(wantedResolver([...all.slice(0, 2), explicit], 'example.org'), {
    nameservers: [doh],
    searchDomains: [],
    hostDns: false,
  });
});

test('resolv.conf has three servers at most, and no line that a value began', (t) => {
  t.is(
    resolvConf(['10.0.0.1', 'fd00::1', '10.0.0.2', '10.0.0.3'], ['a.example', 'x\nnameserver 10.6.6.6']),
    'nameserver 10.0.0.1\nnameserver fd00::1\nnameserver 10.0.0.2\nsearch a.example\noptions edns0 trust-ad\n',
  );
  t.is(resolvConf(['10.0.0.1\noptions x'], []), 'options edns0 trust-ad\n');
});

test('what documents, leases and the name of the machine say comes together, and goes again', async (t) => {
  const store = new Store();
  await using hostDns = new HostDns({ address: '127.0.0.1', port: 0 });
  let text = '';
  const write = (next: string): Promise<void> => Promise.resolve(void (text = next));
  runControllers(
    t,
    store,
    resolverController({ clock: new FakeClock(), hostDns, authorities: () => [], write }),
  );
  store.replace(
    kindOf(hostnameStatuses),
    new Map([['hostname', { hostname: 'a', domainname: 'example.org' }]]),
    'test',
  );
  const say = (id: string, value: object): unknown =>
    store.modify({ ...kindOf(resolverSpecs), id }, () => value as never, { owner: 'test' });
  const asks = async (...addresses: readonly string[]): Promise<void> => {
    await until(store, kindOf(resolverStatuses), ([status]) => {
      const { dnsServers = [] } = (status?.spec ?? {}) as { dnsServers?: readonly string[] };
      return dnsServers.join() === addresses.join();
    });
  };
  say('default', { layer: 'default', ...servers('1.1.1.1') });
  await asks('1.1.1.1');
  store.replace(
    kindOf(leaseNames),
    new Map([['eth0', { layer: 'operator', ...servers('10.0.0.1') }]]),
    'test',
  );
  await asks('10.0.0.1');
  using configuration = parse(
    'apiVersion: v1alpha1\nkind: ResolverConfig\nnameservers: [{address: 9.9.9.9, protocol: DoT, tlsServerName: dns.quad9.net}, {address: 10.0.0.9}]\nhostDNS: {enabled: true}\n',
  );
  say('configuration', resolverSpec(configuration) as object);
  await asks('9.9.9.9', '10.0.0.9');
  t.is(text, 'nameserver 127.0.0.1\nsearch example.org\noptions edns0 trust-ad\n');
  t.deepEqual(
    hostDns.health.map(({ name }) => name),
    ['DoT 9.9.9.9 (dns.quad9.net)', '10.0.0.9'],
  );
  say('configuration', { layer: 'configuration' });
  await asks('10.0.0.1');
  t.is(text, 'nameserver 10.0.0.1\nsearch example.org\noptions edns0 trust-ad\n');
  t.is(hostDns.address, undefined);
});

test('a resolver that would ask itself does not begin, and says so', async (t) => {
  const store = new Store();
  await using hostDns = new HostDns();
  runControllers(
    t,
    store,
    resolverController({ clock: new FakeClock(), hostDns, authorities: () => [], write: nowhere }),
  );
  const wanted = { layer: 'configuration', hostDns: true, ...servers('127.0.0.53') };
  store.replace(kindOf(resolverSpecs), new Map([['configuration', wanted as never]]), 'test');
  const [status] = await until(store, kindOf(resolverStatuses), ({ length }) => length === 1);
  t.like(status?.spec, { hostDns: false, error: '127.0.0.53 is the stub of this host: it would ask itself' });
});
