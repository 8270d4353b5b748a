import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { once } from 'node:events';

import { Lan, Namespace } from '@nodecore/lan';
import { ended, makeDirectory, tetheredCommand } from '@nodecore/sys';
import { findProgram, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { dialHere, dialInside } from '../../lan/src/dial.ts';
import { Doors } from '../../lan/src/doors.ts';
import { serveGateway } from '../src/gateway/services.ts';
import { closAsn, ClusterDirectory, makePlan, type PlannedNode, readDevRequest } from '../src/index.ts';
import { lanOf } from '../src/plan.ts';
import { devFlags } from './requests.ts';
import { watchRoutes } from './route-changes.ts';

/** A node that exchanges routes: a namespace with what QEMU would have on its two taps, and with a router of its own. */
async function guestOf(
  t: ExecutionContext,
  lan: Lan,
  { name, address, links = [] }: PlannedNode,
): Promise<Namespace> {
  const guest = new Namespace(`${lan.namespace.name}-${name}`);
  await guest.make();
  t.teardown(() => guest.remove());
  await guest.ip(['link', 'set', 'lo', 'up']);
  await guest.ip(['address', 'add', `${address}/32`, 'dev', 'lo']);
  for (const [card, { tap, mac }] of links.entries()) {
    await lan.namespace.ip(['link', 'del', tap]);
    const pair = ['link', 'add', tap, 'type', 'veth', 'peer', 'name', `eth${card}`, 'address', mac];
    await lan.namespace.ip([...pair, 'netns', guest.name]);
    await lan.namespace.ip(['link', 'set', tap, 'addrgenmode', 'none']);
    await lan.namespace.ip(['address', 'add', 'fe80::1/64', 'dev', tap, 'nodad']);
    await lan.namespace.ip(['link', 'set', tap, 'up']);
    await guest.ip(['link', 'set', `eth${card}`, 'up']);
  }
  return guest;
}

async function route(
  t: ExecutionContext,
  guest: Namespace,
  node: PlannedNode,
  told: readonly string[],
): Promise<void> {
  const home = await temporaryDirectory(t);
  const file = join(home, 'bird.conf');
  await writeFile(file, nodeConfig(node, told));
  const own = [findProgram('bird') ?? '', '-f', '-c', file, '-s', join(home, 'ctl')];
  const [bird, ...words] = tetheredCommand(guest.inside(own));
  const child = spawn(bird, words, { stdio: 'ignore' });
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended(child);
  });
}

function nodeConfig(node: PlannedNode, told: readonly string[]): string {
  const neighbours = [0, 1].map(
    (card) => `protocol bgp uplink${card} {
  local as ${closAsn(node)};
  neighbor fe80::1%eth${card} as 65000;
  connect delay time 1;
  bfd on;
  ipv4 { extended next hop on; import all; export where proto = "own"; };
}`,
  );
  return `router id ${node.address};
protocol device { }
protocol kernel { ipv4 { import none; export where source = RTS_BGP; }; merge paths on; }
protocol bfd { interface "eth*" { interval 300 ms; multiplier 3; }; }
protocol static own { ipv4; ${told.map((each) => `route ${each} blackhole;`).join(' ')} }
${neighbours.join('\n')}
`;
}

/** The cables that a destination is behind. */
function ways(routes: string, destination: string): readonly string[] {
  const [, own = ''] = `\n${routes}`.split(`\n${destination} `);
  const whole = /^.*(?:\n\s.*)*/u.exec(own)?.[0] ?? '';
  return [...whole.matchAll(/via inet6 fe80::\S+ dev (tap\S+)/gu)].map(([, tap = '']) => tap);
}

function hasBothWays(routes: string): boolean {
  return routes.split('via inet6 fe80::1 ').length === 3;
}

testWith(
  root,
  program('dnsmasq'),
  program('bird'),
)(
  'nodes with two cables to a router are reached by what they advertise, as far as it is theirs',
  async (t) => {
    t.timeout(60_000);
    process.env['PATH'] = `${dirname(findProgram('bird') ?? '')}:${process.env['PATH']}`;
    const flags = { ...devFlags, withBgpClos: true, cidr: ['10.77.0.0/24'] };
    const plan = makePlan(readDevRequest(flags), randomBytes(16).toString('hex'));
    const directory = new ClusterDirectory(await temporaryDirectory(t), 'routes');
    await makeDirectory(directory.lan);
    const spec = { ...lanOf(plan)!, doors: [] };
    t.teardown(() => new Namespace(spec.namespace).remove());
    const lan = await Lan.open(spec, directory.lan, t.log);
    t.teardown(() => lan.close());
    t.is(await lan.doorsAlone, undefined);
    const [first, second] = plan.nodes as [PlannedNode, PlannedNode];
    const guests = [await guestOf(t, lan, first), await guestOf(t, lan, second)] as const;
    const untilHere = await watchRoutes(t, lan.namespace);
    const untilThere = await watchRoutes(t, guests[0]);
    const untilOther = await watchRoutes(t, guests[1]);
    await using _services = await serveGateway(lan, plan, directory, t.log);
    // The second says to be more than it is.
    await route(t, guests[1], second, ['10.77.0.3/32', '10.77.0.50/32', '10.9.9.0/24', '10.77.0.2/32']);
    await route(t, guests[0], first, ['10.77.0.2/32', '10.77.0.50/32']);

    const ours = ['10.77.0.2', '10.77.0.3', '10.77.0.50'];
    await untilHere((routes) => ours.every((each) => ways(routes, each).length === 2));
    await untilThere(hasBothWays);
    await untilOther(hasBothWays);
    const routes = await lan.namespace.run(['ip', 'route']);
    t.false(routes.includes('10.9.9.0'), routes);
    for (const own of ['10.77.0.2', '10.77.0.50'])
      t.deepEqual(ways(routes, own).toSorted(), ['tap1-0', 'tap1-1'], routes);

    // Both ways that there are: from the host over its cable, and from the other node through the router.
    await guests[0].ip(['address', 'add', '10.77.0.50/32', 'dev', 'lo']);
    await using doors = new Doors(guests[0]);
    const server = await doors.listen({ address: '0.0.0.0', port: 7 });
    server.on('connection', (socket) => socket.end(socket.remoteAddress ?? ''));
    const signal = AbortSignal.timeout(20_000);
    for (const [dial, address, from] of [
      [dialHere, '10.77.0.2', '10.77.0.1'],
      [dialInside(guests[1]), '10.77.0.2', '10.77.0.3'],
      [dialInside(guests[1]), '10.77.0.50', '10.77.0.3'],
    ] as const) {
      const socket = await dial({ address, port: 7 }, signal);
      t.is(String((await once(socket, 'data', { signal }))[0]), from, address);
      socket.destroy();
    }

    await lan.namespace.ip(['link', 'set', 'tap1-0', 'down']);
    await untilHere((now) => ways(now, '10.77.0.2').length === 1);
    const socket = await dialHere({ address: '10.77.0.2', port: 7 }, signal);
    t.is(String((await once(socket, 'data', { signal }))[0]), '10.77.0.1');
    socket.destroy();
  },
);
