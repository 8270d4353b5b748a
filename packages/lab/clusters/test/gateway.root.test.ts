import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Namespace } from '@nodecore/lan';
import { ended, tetheredCommand } from '@nodecore/sys';
import { command, findProgram, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { twoGuests } from '../../lan/test/guests.ts';
import { birdConfig } from '../src/gateway/bird.ts';
import { ganeshaConfig, ganeshaProgram } from '../src/gateway/ganesha.ts';
import { lldpConfig, lldpProgram } from '../src/gateway/lldp.ts';
import { serveGateway, serviceProblems } from '../src/gateway/services.ts';
import { ClusterDirectory, makePlan, readDevRequest } from '../src/index.ts';
import { devFlags } from './requests.ts';
import { watchRoutes } from './route-changes.ts';

const id = '000102030405060708090a0b0c0d0e0f';

testWith(
  root,
  program('dnsmasq'),
  program('bird'),
)('the gateway exchanges routes with a node by BGP, and with nobody of another system', async (t) => {
  t.timeout(60_000);
  const { lan, directory: home, guests } = await twoGuests(t);
  process.env['PATH'] = `${dirname(findProgram('bird') ?? '')}:${process.env['PATH']}`;
  const plan = makePlan(readDevRequest({ ...devFlags, withBgp: true }), id);
  const directory = new ClusterDirectory(home, 'routes');
  await directory.make();
  await mkdir(directory.lan);
  const [node, stranger] = guests as [Namespace, Namespace];
  const [here, there] = await Promise.all([watchRoutes(t, lan.namespace), watchRoutes(t, node)]);
  await using _services = await serveGateway(lan, plan, directory, t.log);
  for (const [guest, asn, network] of [
    [stranger, 65_002, '10.8.8.0/24'],
    [node, 65_001, '10.9.9.0/24'],
  ] as const) {
    const file = join(home, `${asn}.conf`);
    await writeFile(file, nodeConfig(asn, network));
    const own = [findProgram('bird') ?? '', '-f', '-c', file, '-s', join(home, `${asn}`)];
    const [bird, ...words] = tetheredCommand(guest.inside(own));
    const child = spawn(bird, words, { stdio: 'ignore' });
    t.teardown(async () => {
      child.kill('SIGKILL');
      await ended(child);
    });
  }
  await here((routes) => routes.includes('10.9.9.0/24'));
  await there((routes) => routes.includes('10.200.0.0/24'));
  t.regex(await lan.namespace.run(['ip', 'route']), /^10\.9\.9\.0\/24 via 10\.5\.0\.2 /m);
  t.regex(await node.run(['ip', 'route']), /^10\.200\.0\.0\/24 via 10\.5\.0\.1 /m);
  t.notRegex(await lan.namespace.run(['ip', 'route']), /10\.8\.8\.0/);
  await lan.remove();
});

function nodeConfig(asn: number, network: string): string {
  return `router id 10.0.0.${asn - 65_000};
protocol device { }
protocol kernel { ipv4 { import none; export where source = RTS_BGP; }; }
protocol static own { ipv4; route ${network} blackhole; }
protocol bgp up {
  local as ${asn};
  neighbor 10.5.0.1 as 65000;
  connect delay time 1;
  ipv4 { import all; export where proto = "own"; };
}
`;
}

testWith(program('bird'))('what the router is told is read by it, for each family and both', async (t) => {
  const home = await temporaryDirectory(t);
  const { lan } = makePlan(readDevRequest({ ...devFlags, ipv6: true, withBgp: true }), id);
  const { ipv6, ...four } = lan!;
  for (const [name, network] of [
    ['both', lan!],
    ['four', four],
    ['six', { ...four, ...ipv6! }],
  ] as const) {
    const file = join(home, name);
    await writeFile(file, birdConfig(network));
    const { code, stderr } = await command([findProgram('bird') ?? '', '-p', '-c', file]);
    t.is(code, 0, stderr);
  }
});

test('what is not installed is told with where it comes from, before anything is made', (t) => {
  const all = ['bgp', 'bgp-clos', 'lldp', 'nfs'] as const;
  const told = serviceProblems(all, () => undefined);
  t.is(told.length, 4);
  for (const [at, words] of [
    'bird is missing: --with-bgp needs it, install bird2',
    'bird is missing: --with-bgp-clos needs it, install bird2',
    'lldpd is missing: --with-lldp needs it, install lldpd',
    'ganesha.nfsd is missing: --with-nfs needs it, install nfs-ganesha and',
  ].entries())
    t.true(told[at]?.includes(words), told[at]);
});

test('one directory is served by NFS 4, and LLDP is spoken on the cables of the nodes alone', (t) => {
  const config = ganeshaConfig('10.5.0.1', { shared: '/a "b"/shared', state: '/a/state' });
  for (const line of [
    '  Protocols = 4;',
    '  Bind_addr = 10.5.0.1;',
    '  Pseudo = /shared;',
    '  Path = "/a \\"b\\"/shared";',
  ])
    t.true(config.includes(`${line}\n`), line);
  t.true(ganeshaProgram('/bin/x', '/lan').argv.includes('-F'), 'in the foreground');
  const plan = makePlan(readDevRequest(devFlags), id);
  const { argv } = lldpProgram('/bin/lldpd', plan, '/lan');
  t.is(argv[argv.indexOf('-I') + 1], 'tap1-0,tap2-0');
  t.is(argv[argv.indexOf('-O') + 1], '/lan/lldp.conf', 'nothing of what this computer says of itself');
  t.is(lldpConfig(plan.lan!), 'configure system hostname gateway.example.cluster.internal\n');
});
