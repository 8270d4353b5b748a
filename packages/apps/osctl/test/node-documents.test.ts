import { createPrivateKey, createPublicKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type ClusterPlan, type ClusterRequest, makePlan, orchEndpointOf } from '@nodecore/clusters';
import { type Configuration, parse } from '@nodecore/config';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { parseAllDocuments } from 'yaml';

import { configurationOf } from '../src/cluster/documents.ts';
import { idleKinds } from '../src/cluster/node-documents.ts';
import { wireguardDocuments } from '../src/cluster/wireguard.ts';
import { createNodeSecrets } from '../src/gen/secrets.ts';

const none = { all: [], controlplane: [], worker: [] };

const request: ClusterRequest = {
  name: 'example',
  cidr: '10.5.0.0/24',
  controlplanes: 2,
  workers: 1,
  machines: { controlplane: { cpus: 1, memoryMib: 768 }, worker: { cpus: 1, memoryMib: 768 } },
  disks: [{ driver: 'virtio', sizeBytes: 2 ** 22 }],
  presets: ['disk-image'],
  image: { path: '/disk.raw' },
  schematic: '',
  version: 'v1.14.0-alpha.0',
  factory: '',
  uefi: true,
};

/** The documents of each node, which are all valid. */
async function documentsOf(
  t: ExecutionContext,
  more: Partial<ClusterRequest>,
): Promise<readonly (readonly Record<string, unknown>[])[]> {
  const plan = makePlan({ ...request, ...more }, '0'.repeat(32));
  const secrets = await createNodeSecrets();
  const own = wireguardDocuments(plan);
  return plan.nodes.map((node) => {
    const text = configurationOf(plan, node, secrets, { ...none, own });
    using configuration: Configuration = parse(text, { file: node.name });
    t.is(configuration.machine?.type, node.type);
    return parseAllDocuments(text).map((each) => each.toJS() as Record<string, unknown>);
  });
}

function ofKind(
  documents: readonly Record<string, unknown>[] | undefined,
  kind: string,
): readonly Record<string, unknown>[] {
  return (documents ?? [])
    .filter((each) => each['kind'] === kind)
    .map((each) =>
      Object.fromEntries(Object.entries(each).filter(([key]) => key !== 'apiVersion' && key !== 'kind')),
    );
}

test('documents name addresses of both families, and of IPv6 in brackets where there are no others', async (t) => {
  const settings = { firewall: 'block', balancer: true } as const;
  const ipv6 = 'fd00:1::/64';
  const [dual] = await documentsOf(t, { settings, ipv6 });
  const kvstore = (documents: typeof dual): unknown =>
    ofKind(documents, 'NetworkRuleConfig').find(({ name }) => name === 'kvstore');
  t.like(kvstore(dual), {
    ingress: ['10.5.0.2/32', 'fd00:1::2/128', '10.5.0.3/32', 'fd00:1::3/128'].map((subnet) => ({ subnet })),
  });
  const [, second, worker] = await documentsOf(t, { settings, ipv6, withoutIpv4: true, jsonLogs: true });
  t.like(kvstore(second), { ingress: [{ subnet: 'fd00:1::2/128' }, { subnet: 'fd00:1::3/128' }] });
  t.like(ofKind(worker, 'NetworkRuleConfig')[0], { ingress: [{ subnet: ipv6 }] });
  const text = JSON.stringify(second);
  for (const url of ['https://[fd00:1::1]:6443', 'https://[fd00:1::2]:2379', 'tcp://[fd00:1::1]:4003'])
    t.true(text.includes(JSON.stringify(url)), url);
});

test('a firewall lets in what a cluster needs: kvstore from members alone, the API of a worker from its network', async (t) => {
  const [first, , worker] = await documentsOf(t, { settings: { firewall: 'block', controlPlanePort: 443 } });
  const ruleOf = (documents: typeof first, wanted: string): unknown =>
    ofKind(documents, 'NetworkRuleConfig').find(({ name }) => name === wanted);
  for (const documents of [first, worker])
    t.deepEqual(ofKind(documents, 'NetworkDefaultActionConfig'), [{ ingress: 'block' }]);
  const cluster = [{ subnet: '10.5.0.0/24', except: '10.5.0.1/32' }];
  t.deepEqual(ruleOf(first, 'kvstore'), {
    name: 'kvstore',
    portSelector: { ports: ['2379-2380'], protocol: 'tcp' },
    ingress: [{ subnet: '10.5.0.2/32' }, { subnet: '10.5.0.3/32' }],
  });
  t.like(ruleOf(first, 'orch-api'), { portSelector: { ports: [443] } });
  t.like(ruleOf(first, 'node-api'), { ingress: [{ subnet: '0.0.0.0/0' }, { subnet: '::/0' }] });
  t.like(ruleOf(worker, 'node-api'), { ingress: [{ subnet: '10.5.0.0/24' }] });
  t.like(ruleOf(worker, 'overlay'), {
    portSelector: { ports: [4789, 8472], protocol: 'udp' },
    ingress: cluster,
  });
  t.like(ruleOf(first, 'trust'), { ingress: cluster });
  for (const name of ['kvstore', 'trust', 'orch-api']) t.is(ruleOf(worker, name), undefined, name);
});

test('control planes share an address, which is the endpoint and in their certificates; workers have none of it', async (t) => {
  const settings = { vip: '10.5.0.50' };
  const plan = makePlan({ ...request, settings }, '0'.repeat(32));
  t.is(orchEndpointOf(plan), 'https://10.5.0.50:6443');
  t.is(orchEndpointOf(makePlan(request, '0'.repeat(32))), 'https://10.5.0.2:6443');
  const balanced = makePlan(
    { ...request, settings: { balancer: true, controlPlanePort: 443 } },
    '0'.repeat(32),
  );
  t.is(orchEndpointOf(balanced), 'https://10.5.0.1:443');
  const [first, , worker] = await documentsOf(t, { settings });
  t.deepEqual(ofKind(first, 'Layer2VIPConfig'), [{ name: '10.5.0.50', link: 'net0' }]);
  t.deepEqual(ofKind(first, 'LinkAliasConfig'), [
    { name: 'net0', selector: { match: 'link.driver == "virtio_net"' } },
  ]);
  const root = first?.[0] as { readonly machine: { readonly certSANs: readonly string[] } };
  t.true(root.machine.certSANs.includes('10.5.0.50'));
  for (const kind of ['Layer2VIPConfig', 'LinkAliasConfig']) t.deepEqual(ofKind(worker, kind), []);
});

test('each node has a link to every other one, by its own key, and only the control plane is dialled', async (t) => {
  const links = (await documentsOf(t, { settings: { wireguard: '10.9.0.0/24' } })).map(
    (documents) => ofKind(documents, 'WireguardConfig')[0] as Record<string, never>,
  );
  t.deepEqual(
    links.map(({ addresses, name, listenPort }) => ({ addresses, name, listenPort })),
    ['10.9.0.2/24', '10.9.0.3/24', '10.9.0.4/24'].map((address) => ({
      addresses: [{ address }],
      name: 'wg0',
      listenPort: 51_111,
    })) as never,
  );
  const publicKeys = links.map(({ privateKey }) => {
    const der = Buffer.concat([
      Buffer.from('302e020100300506032b656e04220420', 'hex'),
      Buffer.from(privateKey ?? '', 'base64'),
    ]);
    const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
    return key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  });
  t.is(new Set(publicKeys).size, 3);
  const [, , worker] = links;
  t.deepEqual(
    worker?.['peers'],
    [0, 1].map((at) => ({
      publicKey: publicKeys[at],
      endpoint: `10.5.0.${at + 2}:51111`,
      persistentKeepaliveInterval: '5s',
      allowedIPs: [`10.9.0.${at + 2}/32`],
    })) as never,
  );
  const [, seen] = links[0]!['peers'] as unknown as readonly Record<string, unknown>[];
  t.like(seen, { publicKey: publicKeys[2], allowedIPs: ['10.9.0.4/32'] });
  t.false('endpoint' in (seen ?? {}));
});

test('registries have mirrors in the order of the flags, and the cache of the gateway is everybody’s', async (t) => {
  const directory = await temporaryDirectory(t);
  const authority = await pki.createCA('cache');
  using _key = authority.key;
  const { crt } = authority;
  const certFile = join(directory, 'crt.pem');
  await writeFile(certFile, crt);
  const mirrors = [
    { registry: 'docker.io', url: 'https://one.example' },
    { registry: 'ghcr.io', url: 'https://two.example' },
    { registry: 'docker.io', url: 'https://three.example' },
  ];
  const tls = { certFile, keyFile: '/key.pem' };
  const [first] = await documentsOf(t, {
    settings: { mirrors, unverifiedRegistries: ['r.example:5000'], debug: true },
    imageCache: { path: '/cache', port: 5000, tls },
  });
  t.deepEqual(ofKind(first, 'RegistryMirrorConfig'), [
    { name: 'docker.io', endpoints: [{ url: 'https://one.example' }, { url: 'https://three.example' }] },
    { name: 'ghcr.io', endpoints: [{ url: 'https://two.example' }] },
    { name: '*', endpoints: [{ url: 'https://10.5.0.1:5000' }] },
  ]);
  t.deepEqual(ofKind(first, 'RegistryTLSConfig'), [
    { name: 'r.example:5000', insecureSkipVerify: true },
    { name: '10.5.0.1:5000', ca: crt },
  ]);
  t.is(first?.[0]?.['debug'], true);
});

test('the first node begins the kvstore by itself where that is asked for, and the others join it', async (t) => {
  const plan: ClusterPlan = makePlan({ ...request, settings: { initNode: true } }, '0'.repeat(32));
  const secrets = await createNodeSecrets();
  const begins = plan.nodes.map((node) => {
    using configuration = parse(configurationOf(plan, node, secrets, none), { file: 'x' });
    return configuration.machine?.beginsKvstore;
  });
  t.deepEqual(begins, [true, false, false]);
});

test('a cluster without a kvstore has none on any node, and its endpoint is in every certificate', async (t) => {
  const settings = { noKvstore: true, endpoint: 'nodes.example' } as const;
  const plan = makePlan({ ...request, settings }, '0'.repeat(32));
  const secrets = await createNodeSecrets();
  for (const node of plan.nodes) {
    using configuration = parse(configurationOf(plan, node, secrets, none), { file: 'x' });
    t.is(configuration.machine?.type, node.type);
    t.is(configuration.machine?.cluster.kvstore, undefined, node.name);
    t.true(configuration.machine?.certSANs?.includes('nodes.example'), node.name);
  }
});

test('kinds that a node does not act on yet are known by name', async (t) => {
  const plan = makePlan({ ...request, settings: { firewall: 'accept' } }, '0'.repeat(32));
  const text = configurationOf(plan, plan.nodes[2]!, await createNodeSecrets(), none);
  t.deepEqual(idleKinds(text, 'x'), ['NetworkDefaultActionConfig', 'NetworkRuleConfig']);
});
