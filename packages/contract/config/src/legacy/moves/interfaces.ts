import { isScalar, type Node } from 'yaml';

import { type Move, type Part, type Refusal } from '../move.ts';
import { renamedBondFields } from '../network.ts';
import {
  fieldsOfNode,
  isFalse,
  isTrue,
  itemsOf,
  mapping,
  part,
  picked,
  sequence,
  textOfNode,
  word,
  type Value,
} from '../nodes.ts';

/** Interfaces with their VLANs, how they get their addresses, and addresses that move from node to node. */
export const interfaces: Move = {
  from: ['machine.network.interfaces'],
  into: [
    'LinkConfig',
    'BondConfig',
    'BridgeConfig',
    'DummyLinkConfig',
    'WireguardConfig',
    'VLANConfig',
    'DHCPv4Config',
    'DHCPv6Config',
    'Layer2VIPConfig',
    'HCloudVIPConfig',
  ],
  parts: ({ at }) => {
    const parts: Part[] = [];
    for (const one of itemsOf(at('machine.network.interfaces'))) {
      const own = partsOf(one);
      if ('why' in own) return own;
      parts.push(...own);
    }
    return parts;
  },
};

function partsOf(node: Node): readonly Part[] | Refusal {
  const own = fieldsOfNode(node);
  const name = textOfNode(own['interface']);
  if (name === undefined)
    return { why: 'deviceSelector has no document: name the interface by a LinkAliasConfig' };
  if (isTrue(own['ignore'])) return { why: `${name} is to be left alone, which no document says` };
  if (own['bridgePort'] !== undefined)
    return { why: `${name} names its bridge: name it in links of the bridge` };
  const kind = kindOf(node, name);
  if ('why' in kind) return kind;
  const links = itemsOf(own['vlans']).map((vlan) => vlanOf(vlan, name));
  const more = [
    ...addressesOf(node, name),
    ...itemsOf(own['vlans']).flatMap((vlan) => addressesOf(vlan, vlanName(vlan, name))),
  ];
  const refused = more.find((one): one is Refusal => 'why' in one);
  return refused ?? [kind, ...links, ...(more as Part[])];
}

/** What kind of interface it is, with what all of them have. */
function kindOf(node: Node, name: string): Part | Refusal {
  const own = fieldsOfNode(node);
  const { bond, bridge, wireguard } = own;
  const link = { name: word(name, own['interface']), ...linkOf(node) };
  if (bond !== undefined) {
    const settings = fieldsOfNode(bond);
    if (settings['deviceSelectors'] !== undefined)
      return { why: `the bond ${name} names its links by deviceSelectors` };
    const renamed = Object.fromEntries(
      Object.entries(settings).map(([field, value]) => [renamedBondFields[field] ?? field, value]),
    );
    return part('BondConfig', mapping(node, { ...link, ...renamed }));
  }
  if (bridge !== undefined) {
    const { interfaces: links, stp, vlan } = fieldsOfNode(bridge);
    const filtering = vlan && picked(vlan, { vlanFiltering: 'filtering' });
    return part('BridgeConfig', mapping(node, { ...link, links, stp, vlan: filtering }));
  }
  if (isTrue(own['dummy'])) return part('DummyLinkConfig', mapping(node, link));
  if (wireguard !== undefined)
    return part('WireguardConfig', mapping(node, { ...link, ...fieldsOfNode(wireguard) }));
  return part('LinkConfig', mapping(node, link));
}

function linkOf(node: Node): Readonly<Record<string, Value>> {
  const { addresses, cidr, routes, mtu } = fieldsOfNode(node);
  const all = cidr === undefined ? itemsOf(addresses) : [cidr];
  const routed = itemsOf(routes).map((route) => {
    const { network, ...rest } = fieldsOfNode(route);
    return mapping(route, { destination: isDefault(network) ? undefined : network, ...rest });
  });
  return {
    mtu,
    addresses:
      all.length === 0
        ? undefined
        : sequence(
            addresses ?? cidr,
            all.map((address) => mapping(address, { address })),
          ),
    routes: routed.length === 0 ? undefined : sequence(routes, routed),
  };
}

/** The default route has no destination in a document. */
function isDefault(network: Node | undefined): boolean {
  return ['0.0.0.0/0', '::/0'].includes(textOfNode(network) ?? '');
}

function vlanName(vlan: Node, parent: string): string {
  const { vlanId } = fieldsOfNode(vlan);
  return `${parent}.${isScalar(vlanId) ? String(vlanId.value) : ''}`;
}

function vlanOf(vlan: Node, parent: string): Part {
  const { vlanId } = fieldsOfNode(vlan);
  const name = word(vlanName(vlan, parent), vlanId);
  return part(
    'VLANConfig',
    mapping(vlan, { name, vlanID: vlanId, parent: word(parent, vlanId), ...linkOf(vlan) }),
  );
}

/** How it gets addresses of others, and one that moves. */
function addressesOf(node: Node, name: string): readonly (Part | Refusal)[] {
  const { dhcp, dhcpOptions, vip } = fieldsOfNode(node);
  const found: (Part | Refusal)[] = [];
  if (isTrue(dhcp)) {
    const { routeMetric, ipv4, ipv6, duidv6 } = fieldsOfNode(dhcpOptions);
    const own = { name: word(name, dhcp), routeMetric };
    const identified = duidv6 && { clientIdentifier: word('duid', duidv6), duidRaw: duidv6 };
    if (!isFalse(ipv4)) found.push(part('DHCPv4Config', mapping(dhcp, own)));
    if (isTrue(ipv6)) found.push(part('DHCPv6Config', mapping(dhcp, { ...own, ...identified })));
  }
  if (vip !== undefined) {
    const { ip, equinixMetal, hcloud } = fieldsOfNode(vip);
    const own = { name: ip, link: word(name, vip) };
    if (equinixMetal !== undefined)
      found.push({ why: `the address that moves to ${name} is moved by a cloud without a document` });
    else if (hcloud === undefined) found.push(part('Layer2VIPConfig', mapping(vip, own)));
    else found.push(part('HCloudVIPConfig', mapping(vip, { ...own, ...fieldsOfNode(hcloud) })));
  }
  return found;
}
