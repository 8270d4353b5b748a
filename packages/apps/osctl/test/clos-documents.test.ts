import { type ClusterRequest, makePlan, orchEndpointOf } from '@nodecore/clusters';
import { parse } from '@nodecore/config';
import test from 'ava';
import { parseAllDocuments } from 'yaml';

import { configurationOf } from '../src/cluster/documents.ts';
import { createNodeSecrets } from '../src/gen/secrets.ts';

const request: ClusterRequest = {
  name: 'example',
  cidr: '10.5.0.0/24',
  controlplanes: 1,
  workers: 1,
  machines: { controlplane: { cpus: 1, memoryMib: 768 }, worker: { cpus: 1, memoryMib: 768 } },
  disks: [{ driver: 'virtio', sizeBytes: 2 ** 22 }],
  presets: ['disk-image'],
  image: { path: '/disk.raw' },
  schematic: '',
  version: 'v1.14.0-alpha.0',
  factory: '',
  uefi: true,
  injection: 'metal-iso',
  services: ['bgp-clos'],
  settings: { vip: '10.5.0.50' },
};

const none = { all: [], controlplane: [], worker: [] };

test('a node behind routers knows its cables, holds its addresses, and exchanges routes without numbers', async (t) => {
  const plan = makePlan(request, '0'.repeat(32));
  t.is(orchEndpointOf(plan), 'https://10.5.0.50:6443');
  const secrets = await createNodeSecrets();
  const documents = plan.nodes.map((node) => {
    const text = configurationOf(plan, node, secrets, none);
    using _valid = parse(text, { file: node.name });
    return parseAllDocuments(text).map((each) => each.toJS() as Record<string, unknown>);
  });
  const of = (index: number, kind: string) => documents[index]?.filter((each) => each['kind'] === kind);
  t.deepEqual(of(0, 'Layer2VIPConfig'), [], 'nobody says at the bridge who has it');
  const aliases = of(0, 'LinkAliasConfig');
  t.deepEqual(
    aliases?.map(({ name, selector }) => [name, selector]),
    plan.nodes[0]?.links?.map(({ mac }, at) => [
      `uplink${at}`,
      { match: `mac(link.permanent_addr) == "${mac}"` },
    ]),
  );
  t.deepEqual(
    of(0, 'LinkConfig')?.map(({ name, up, mtu }) => [name, up, mtu]),
    [
      ['uplink0', true, 1500],
      ['uplink1', true, 1500],
    ],
  );
  for (const [index, addresses] of [['10.5.0.2/32', '10.5.0.50/32'], ['10.5.0.3/32']].entries())
    t.like(of(index, 'DummyLinkConfig')?.[0], {
      name: 'dummy0',
      addresses: addresses.map((address) => ({ address })),
    });
  const bfd = { transmitInterval: '300ms', receiveInterval: '300ms', detectMultiplier: 3 };
  t.like(of(1, 'BGPInstanceConfig')?.[0], {
    localASN: 65_002,
    routerID: '10.5.0.3',
    routeSource: '10.5.0.3',
    advertise: ['dummy0'],
    multipath: true,
    neighbors: [
      { link: 'uplink0', peerASN: 65_000, bfd },
      { link: 'uplink1', peerASN: 65_000, bfd },
    ],
  });
});
