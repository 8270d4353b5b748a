import { contains, overlaps, type Prefix } from '@nodecore/sys/pure';

import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { exactlyOne } from '../../field/rule.ts';
import { boolean, integer } from '../../field/scalars.ts';
import { fallback, optional, required, type ValueOf } from '../../field/type.ts';
import { type Place } from '../../place.ts';
import { address } from '../../type/address.ts';
import { documentName } from '../../type/document-name.ts';
import { duration } from '../../type/duration.ts';
import { linkName } from '../../type/link-name.ts';
import { network } from '../../type/network-prefix.ts';
import { u32, u8 } from '../../type/number.ts';

const asn = integer(1, 0xffff_ffff);

const neighbor = object(
  {
    address: optional('the address of the neighbor', address),
    link: optional('the interface behind which it is, for a neighbor without a number', linkName),
    peerASN: optional('its autonomous system; 0 takes any other than ours', u32),
    localASN: optional('our autonomous system toward it', asn),
    passive: optional('whether only the neighbor begins', boolean),
    holdTime: optional(
      'silence after which it counts as gone; 0 never',
      duration({ most: '65535s', whole: true }),
    ),
    bfd: optional(
      'a fast look whether it is there',
      object({
        transmitInterval: optional('how often we say so', duration()),
        receiveInterval: optional('how often we want to hear it', duration()),
        detectMultiplier: optional('how many may be missed', u8),
      }),
    ),
  },
  {
    rules: [exactlyOne('address', 'link')],
    check: ({ holdTime }, at) => {
      if (holdTime !== undefined && holdTime.ms !== 0 && holdTime.ms < 3000)
        at.at('holdTime').problem('bgp.hold_time', 'must be 0 or at least 3s');
    },
  },
);

const importRoutes = object({
  bgpInstance: required('the instance that has them', documentName),
  prefixes: required('which of its networks', list(network, { least: 1 })),
});

/** `BGPInstanceConfig`: routes that the node exchanges with routers. */
export const bgpInstance = document(
  'BGPInstanceConfig',
  'routes that the node exchanges with its routers',
  () => ({
    takesEffect: 'live',
    awaits: 'network',
    fields: {
      name: required('a name for it', documentName),
      vrf: optional('the VRF that it works in', linkName),
      localASN: required('autonomous system of the node', asn),
      routerID: optional('what it is told apart by, in the form of an IPv4 address', address),
      routeSource: optional('source address of packets by the routes that it learns', address),
      advertise: optional('interfaces whose networks it tells', list(linkName, { merge: 'replace' })),
      multipath: fallback('whether equal routes are used together', boolean, false),
      maxPaths: optional('how many of them', u8),
      installRoutes: fallback('whether what it learns becomes routes of the node', boolean, true),
      importRoutes: optional('routes of other instances', list(importRoutes, { merge: 'replace' })),
      neighbors: optional('with whom', list(neighbor, { merge: 'replace' })),
    },
    check: (value, at) => {
      const { neighbors = [], routerID, importRoutes: imports = [] } = value;
      if (neighbors.length === 0)
        at.at('name').warning('bgp.alone', 'has no neighbors: nothing is exchanged');
      if (routerID !== undefined && (routerID.family !== 'ipv4' || routerID.value === 0n))
        at.at('routerID').problem(
          'bgp.router_id',
          'must have the form of an IPv4 address other than 0.0.0.0',
        );
      const seen = new Set<string>();
      for (const [index, one] of neighbors.entries()) {
        const who =
          one.address === undefined ? `link ${one.link}` : `${one.address.family} ${one.address.value}`;
        const place = at.at('neighbors', index);
        if (seen.has(who)) place.problem('bgp.neighbor', 'is a neighbor already');
        seen.add(who);
        if (one.bfd !== undefined && value.vrf !== undefined)
          place.at('bfd').problem('bgp.bfd', 'is not taken in a VRF');
      }
      checkImports(imports, value.name, at);
    },
    example:
      'name: fabric\nlocalASN: 65001\nadvertise: [dummy0]\nneighbors:\n  - {address: 10.0.0.1, peerASN: 65000, holdTime: 9s}\n',
  }),
);

function checkImports(imports: readonly ValueOf<typeof importRoutes>[], name: string, at: Place): void {
  const seen: Prefix[] = [];
  const sources = new Set<string>();
  for (const [index, { bgpInstance: source, prefixes }] of imports.entries()) {
    const place = at.at('importRoutes', index);
    if (source === name) place.at('bgpInstance').problem('bgp.import', 'is the instance itself');
    if (sources.has(source)) place.at('bgpInstance').problem('bgp.import', 'is imported from already');
    sources.add(source);
    for (const [item, prefix] of prefixes.entries()) {
      if (seen.some((one) => overlaps(one, prefix) || contains(one, prefix)))
        place.at('prefixes', item).problem('bgp.import', 'overlaps another network that is imported');
      seen.push(prefix);
    }
  }
}
