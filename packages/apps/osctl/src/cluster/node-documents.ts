import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';

import { type ClusterPlan, fabric, isClos, type PlannedNode, urlHost } from '@nodecore/clusters';
import { parse } from '@nodecore/config';
import { stringify } from 'yaml';

import { closDocuments } from './clos-documents.ts';
import { document } from './document.ts';
import { orchDocuments } from './orch-documents.ts';

/** What the nodes are told by the flags of the cluster, in the order of the documents. */
export function settingDocuments(plan: ClusterPlan, node: PlannedNode): readonly string[] {
  const { settings = {}, imageCache } = plan.request;
  const { firewall, vip, mirrors = [], unverifiedRegistries = [], debug, discovery, orch } = settings;
  return [
    ...(debug === true ? [stringify({ version: 'v1alpha1', debug: true })] : []),
    ...(firewall === undefined ? [] : firewallDocuments(plan, node, firewall)),
    ...(vip === undefined || node.type === 'worker' || isClos(plan.request) ? [] : vipDocuments(vip)),
    ...[...Map.groupBy(mirrors, ({ registry }) => registry)].map(([name, all]) =>
      document('RegistryMirrorConfig', { name, endpoints: all.map(({ url }) => ({ url })) }),
    ),
    ...unverifiedRegistries.map((name) => document('RegistryTLSConfig', { name, insecureSkipVerify: true })),
    ...(imageCache === undefined ? [] : cacheDocuments(plan, imageCache)),
    ...(discovery === undefined
      ? []
      : [document('DiscoveryServiceConfig', { name: 'default', endpoint: discovery })]),
    ...(settings.mesh === true ? [document('MeshConfig', { enabled: true })] : []),
    ...(settings.bgp === true ? [bgpDocument(plan)] : []),
    ...(isClos(plan.request) ? closDocuments(plan, node) : []),
    ...(settings.noKexec === true
      ? [document('SysctlConfig', { params: { 'kernel.kexec_load_disabled': '1' } })]
      : []),
    ...(orch === undefined ? [] : orchDocuments(plan, node, orch)),
  ];
}

/**
 * Rules by what a node is. The gateway is a part of the cluster for the node's API alone: this computer reaches nodes through it, and
 * no workload is there.
 */
function firewallDocuments(
  { lan, nodes, request }: ClusterPlan,
  { type }: PlannedNode,
  ingress: 'accept' | 'block',
): readonly string[] {
  const networks = lan === undefined ? [] : [lan, ...(lan.ipv6 === undefined ? [] : [lan.ipv6])];
  const cluster = networks.map(({ cidr, gateway }) => ({ subnet: cidr, except: alone(gateway) }));
  const all = [{ subnet: '0.0.0.0/0' }, { subnet: '::/0' }];
  const members = nodes.filter((each) => each.type === 'controlplane');
  const isControlPlane = type === 'controlplane';
  return [
    document('NetworkDefaultActionConfig', { ingress }),
    rule('node-api', 'tcp', [50_000], isControlPlane ? all : networks.map(({ cidr }) => ({ subnet: cidr }))),
    rule('orch-node-agent', 'tcp', [10_250], cluster),
    rule('overlay', 'udp', [4789, 8472], cluster),
    ...(isControlPlane
      ? [
          rule('trust', 'tcp', [50_001], cluster),
          rule('orch-api', 'tcp', [request.settings?.controlPlanePort ?? 6443], all),
          rule(
            'kvstore',
            'tcp',
            ['2379-2380'],
            members.flatMap(({ address, address6 }) =>
              [address, ...(address6 === undefined ? [] : [address6])].map((each) => ({
                subnet: alone(each),
              })),
            ),
          ),
        ]
      : []),
  ];
}

function rule(name: string, protocol: 'tcp' | 'udp', ports: readonly unknown[], from: object): string {
  return document('NetworkRuleConfig', { name, portSelector: { ports, protocol }, ingress: from });
}

/** The name of the first card is the kernel's business; `net0` is it, whatever that is. */
function vipDocuments(name: string): readonly string[] {
  return [
    document('LinkAliasConfig', { name: 'net0', selector: { match: 'link.driver == "virtio_net"' } }),
    document('Layer2VIPConfig', { name, link: 'net0' }),
  ];
}

function cacheDocuments(
  { lan }: ClusterPlan,
  { port, tls }: NonNullable<ClusterPlan['request']['imageCache']>,
): readonly string[] {
  const registry = `${urlHost(lan?.gateway ?? '')}:${port}`;
  const url = `${tls === undefined ? 'http' : 'https'}://${registry}`;
  const mirror = document('RegistryMirrorConfig', { name: '*', endpoints: [{ url }] });
  if (tls === undefined) return [mirror];
  return [mirror, document('RegistryTLSConfig', { name: registry, ca: readFileSync(tls.certFile, 'utf8') })];
}

/** The node is a neighbour of the gateway, by each family that they have. */
function bgpDocument({ lan }: ClusterPlan): string {
  const networks = lan === undefined ? [] : [lan, ...(lan.ipv6 === undefined ? [] : [lan.ipv6])];
  const neighbors = networks.map(({ gateway }) => ({ address: gateway, peerASN: fabric.asn }));
  return document('BGPInstanceConfig', { name: 'fabric', localASN: fabric.nodeAsn, neighbors });
}

/** The network of one address. */
function alone(address: string): string {
  return `${address}/${isIPv6(address) ? 128 : 32}`;
}

/** Kinds of documents of a configuration that this version of the node checks and keeps, and does nothing else with. */
export function idleKinds(configuration: string, file: string): readonly string[] {
  using parsed = parse(configuration, { file });
  const idle = parsed.warnings.filter(({ code }) => code === 'kind.no_effect');
  return [...new Set(idle.map(({ document: name }) => name.split('/')[0] ?? ''))];
}
