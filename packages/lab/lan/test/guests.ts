import { basename } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { Lan, type LanSpec, Namespace } from '../src/index.ts';

/** A network and what is in it. */
export type Net = {
  readonly lan: Lan;
  readonly spec: LanSpec;
  readonly directory: string;
  readonly guests: readonly Namespace[];
};

/** Two machines: namespaces of their own, whose cards are what QEMU would have on the taps. */
export async function twoGuests(t: ExecutionContext): Promise<Net> {
  const directory = await temporaryDirectory(t);
  const spec: LanSpec = {
    namespace: `os-${basename(directory)}`,
    cidr: '10.5.0.0/24',
    gateway: '10.5.0.1',
    mtu: 1500,
    domain: 'example.cluster',
    hosts: [1, 2].map((number) => ({
      name: `host-${number}`,
      mac: `02:00:00:00:00:0${number}`,
      address: `10.5.0.${number + 1}`,
      tap: `tap${number}-0`,
    })),
    doors: [],
    outlets: [],
  };
  t.teardown(() => new Namespace(spec.namespace).remove());
  const lan = await Lan.open(spec, directory);
  t.teardown(() => lan.close());
  const guests: Namespace[] = [];
  for (const { tap, mac, address } of spec.hosts) {
    const guest = new Namespace(`${spec.namespace}-${tap}`);
    await guest.make();
    t.teardown(() => guest.remove());
    await lan.namespace.run(['ip', 'link', 'del', tap]);
    const pair = ['ip', 'link', 'add', tap, 'type', 'veth', 'peer', 'name', 'eth0', 'address', mac];
    await lan.namespace.run([...pair, 'netns', guest.name]);
    await lan.namespace.run(['ip', 'link', 'set', tap, 'master', 'br0', 'up']);
    await guest.run(['ip', 'address', 'add', `${address}/24`, 'dev', 'eth0']);
    await guest.run(['ip', 'link', 'set', 'eth0', 'up']);
    guests.push(guest);
  }
  // Nobody asks for an address of a card, whose answer would be lost, too.
  for (const [index, guest] of guests.entries()) {
    const { address, mac } = spec.hosts[1 - index]!;
    await guest.run(['ip', 'neighbour', 'add', address, 'lladdr', mac, 'dev', 'eth0', 'nud', 'permanent']);
  }
  return { lan, spec, directory, guests };
}
