import { object } from '../field/object.ts';
import { list } from '../field/list.ts';
import { atMostOne, exactlyOne } from '../field/rule.ts';
import { boolean, integer } from '../field/scalars.ts';
import { secret } from '../field/secret.ts';
import { text } from '../field/text.ts';
import { optional, required, type Fields, type Type } from '../field/type.ts';
import { bond } from '../kind/network/bond.ts';
import { bridge } from '../kind/network/bridge.ts';
import { dhcpv6 } from '../kind/network/dhcpv6.ts';
import { mesh } from '../kind/network/mesh.ts';
import { vlan } from '../kind/network/vlan.ts';
import { wireguard } from '../kind/network/wireguard.ts';
import { hostname } from '../kind/runtime/hostname.ts';
import { type Place } from '../place.ts';
import { address, prefix } from '../type/address.ts';
import { hostName } from '../type/endpoint.ts';
import { linkName } from '../type/link-name.ts';
import { u32 } from '../type/number.ts';
import { fieldOf, fieldsOf } from './field-of.ts';

/** Names that are written otherwise in the document: that of the root, that of the document. */
export const renamedBondFields: Readonly<Record<string, string>> = {
  interfaces: 'links',
  mode: 'bondMode',
  resendIgmp: 'resendIGMP',
  tlbDynamicLb: 'tlbLogicalLb',
  peerNotifyDelay: 'peerNotifDelay',
};

/** Fields of a bond under the same name as in its document. */
const bondFields = [
  'xmitHashPolicy',
  'lacpRate',
  'arpValidate',
  'arpAllTargets',
  'primary',
  'primaryReselect',
  'failOverMac',
  'adSelect',
  'miimon',
  'updelay',
  'downdelay',
  'arpInterval',
  'minLinks',
  'lpInterval',
  'packetsPerSlave',
  'numPeerNotif',
  'allSlavesActive',
  'useCarrier',
  'adActorSysPrio',
  'adUserPortKey',
] as const;

function warnCidr({ cidr }: { readonly cidr?: unknown }, at: Place): void {
  if (cidr !== undefined)
    at.at('cidr').warning('interface.cidr', 'is an older way: addresses takes its place');
}

/** `machine.network`, described when it is met. */
export function networkBlock(): Type<unknown> {
  const glob = text({ longest: 256 });

  const deviceSelector = object(
    {
      busPath: optional('where it is on its bus', glob),
      hardwareAddr: optional('its hardware address', glob),
      permanentAddr: optional('the address that it was made with', glob),
      pciID: optional('vendor and product on PCI', glob),
      driver: optional('its driver in the kernel', glob),
      physical: optional('whether it is a card and not made by the kernel', boolean),
    },
    {
      check: (value, at) => {
        if (Object.keys(value).length === 0)
          at.problem('device_selector.empty', 'must say something of the interface');
      },
    },
  );

  const route = object(
    {
      network: optional('network that is reached; without it the default route', prefix),
      gateway: optional('next hop', address),
      source: optional('source address of what the node itself sends', address),
      metric: optional('the route with the lowest wins', u32),
      mtu: optional('largest packet on the way', u32),
    },
    {
      check: (value, at) => {
        if (value.network === undefined && value.gateway === undefined)
          at.problem('fields.at_least_one', 'takes at least one of network, gateway');
      },
    },
  );

  const token = object({ apiToken: required('what the cloud takes as permission', secret(text())) });

  const vip = object(
    {
      ip: required('the address', address),
      equinixMetal: optional('moved by the API of this cloud', token),
      hcloud: optional('moved by the API of this cloud', token),
    },
    { rules: [atMostOne('equinixMetal', 'hcloud')] },
  );

  const dhcpOptions = object({
    routeMetric: optional('metric of the routes that it gives', u32),
    ipv4: optional('whether an IPv4 address is asked for; it is', boolean),
    ipv6: optional('whether an IPv6 address is asked for; it is not', boolean),
    duidv6: optional(
      'the identifier in DHCPv6, in hexadecimal',
      dhcpv6.options.fields['duidRaw']?.type ?? text(),
    ),
  });

  /** What interfaces and their VLANs have. */
  const addressing = {
    addresses: optional('its addresses with the size of their networks', list(prefix)),
    cidr: optional('an address of it; addresses takes its place', prefix),
    routes: optional('routes that leave through it', list(route)),
    dhcp: optional('whether its address is asked for', boolean),
    dhcpOptions: optional('how', dhcpOptions),
    mtu: optional('largest packet in bytes', integer(0, 65_535)),
    vip: optional('an address that one control plane node has at a time', vip),
  };

  const notServed: Type<unknown> = {
    json: {},
    says: 'nothing: it is not taken',
    read: (at) => {
      at.problem('bond.not_served', 'was never served: remove it');
      return undefined;
    },
  };

  const bondBlock = object(
    {
      ...fieldsOf(bond, ...bondFields),
      ...Object.fromEntries(
        Object.entries(renamedBondFields).map(([own, other]) => [own, fieldOf(bond, other)]),
      ),
      mode: required('how traffic is spread', bond.options.fields['bondMode']?.type ?? text()),
      deviceSelectors: optional('the interfaces in it by what they are', list(deviceSelector)),
      arpIPTarget: optional('never served', notServed),
      adActorSystem: optional('never served', notServed),
    } satisfies Fields,
    { rules: [exactlyOne('interfaces', 'deviceSelectors')] },
  );

  const bridgeBlock = object({
    interfaces: fieldOf(bridge, 'links'),
    stp: fieldOf(bridge, 'stp'),
    vlan: optional(
      'VLANs on the bridge',
      object({ vlanFiltering: optional('whether its ports tell VLANs apart', boolean) }),
    ),
  });

  const vlanBlock = object(
    {
      vlanId: required('number in the tag', vlan.options.fields['vlanID']?.type ?? integer(1, 4094)),
      ...addressing,
    },
    { rules: [atMostOne('cidr', 'addresses')], check: warnCidr },
  );

  const networkInterface = object(
    {
      interface: optional('its name', linkName),
      deviceSelector: optional('which one it is by what it is', deviceSelector),
      ...addressing,
      bond: optional('several interfaces as one', bondBlock),
      bridge: optional('a switch between interfaces', bridgeBlock),
      bridgePort: optional('on which bridge it is', object({ master: required('the bridge', linkName) })),
      vlans: optional('VLANs on it', list(vlanBlock, { merge: { by: 'vlanId' } })),
      ignore: optional('whether it is left alone', boolean),
      dummy: optional('whether it leads nowhere', boolean),
      wireguard: optional(
        'an encrypted link to peers',
        object(fieldsOf(wireguard, 'privateKey', 'listenPort', 'firewallMark', 'peers')),
      ),
    },
    {
      rules: [
        exactlyOne('interface', 'deviceSelector'),
        atMostOne('cidr', 'addresses'),
        atMostOne('bond', 'bridge'),
      ],
      check: warnCidr,
    },
  );

  const nameserver = list(address, { most: 32 });

  return object({
    hostname: fieldOf(hostname, 'hostname'),
    interfaces: optional('interfaces of the machine', list(networkInterface, { merge: { by: 'interface' } })),
    nameservers: optional('asked in this order, in place of those that the network names', nameserver),
    searchDomains: optional('tried behind a short name', list(hostName, { most: 32 })),
    extraHostEntries: optional(
      'names of addresses in /etc/hosts',
      list(
        object({
          ip: required('the address', address),
          aliases: required('its names', list(hostName, { least: 1 })),
        }),
      ),
    ),
    mesh: optional(
      'encrypted links from each node of the cluster to each other',
      object(mesh.options.fields),
    ),
    disableSearchDomain: optional('whether the domain of the machine itself is not looked up', boolean),
  });
}
