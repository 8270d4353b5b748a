import { contains, isNetwork, type Address } from '@nodecore/sys/pure';

import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { atLeastOne } from '../../field/rule.ts';
import { boolean, integer } from '../../field/scalars.ts';
import { fallback, optional, required, type Of } from '../../field/type.ts';
import { type Place } from '../../place.ts';
import { address, prefix } from '../../type/address.ts';
import { mac } from '../../type/mac.ts';
import { u32 } from '../../type/number.ts';
import { routingTable } from '../../type/routing-table.ts';

const linkAddress = object({
  address: required('the address and the size of its network', prefix),
  routePriority: optional('metric of the route to its network', u32),
});

const route = object(
  {
    destination: optional('network that is reached; without it the default route', prefix),
    gateway: optional('next hop', address),
    source: optional('source address of what the node itself sends', address),
    metric: fallback('the route with the lowest wins', u32, 1024),
    mtu: optional('largest packet on the way', u32),
    table: fallback('routing table that it is in', routingTable, 'main'),
  },
  { rules: [atLeastOne('destination', 'gateway')] },
);

/** Fields of every document that configures a network interface. */
export const linkFields = {
  up: optional('whether the interface is on; on when it has a document', boolean),
  mtu: optional('largest packet in bytes; 0 leaves it as it is', integer(0, 65_535)),
  multicast: optional('whether it takes part in multicast', boolean),
  addresses: optional('its addresses', list(linkAddress, { merge: { by: 'address' } })),
  routes: optional('routes that leave through it', list(route)),
};

/** Fields of an interface that the node makes, and that has no card with an address of its own. */
export const virtualLinkFields = {
  ...linkFields,
  hardwareAddr: optional('hardware address; the kernel chooses one without it', mac),
};

type Link = Of<typeof linkFields>;
type Route = NonNullable<Link['routes']>[number];

/** Rules of the common fields of an interface. */
export function checkLink({ mtu = 0, addresses = [], routes = [] }: Link, at: Place): void {
  if (mtu !== 0 && mtu < 68) at.at('mtu').problem('link.mtu', 'must be at least 68, as IPv4 needs it');
  for (const [index, { address: own }] of addresses.entries()) {
    const place = at.at('addresses', index, 'address');
    const bits = own.address.family === 'ipv4' ? 32 : 128;
    if (own.address.value === 0n) place.problem('link.address', 'is no address that an interface can have');
    else if (own.bits < bits - 1 && isNetwork(own))
      place.warning('link.network_address', 'is the address of the network itself, not of a host in it');
    if (mtu !== 0 && mtu < 1280 && own.address.family === 'ipv6')
      at.at('mtu').problem('link.mtu', 'must be at least 1280, as IPv6 needs it');
  }
  for (const [index, one] of routes.entries()) {
    checkRoute(one, at.at('routes', index));
    const gateway = one.gateway;
    const isFar =
      gateway !== undefined &&
      addresses.some((own) => own.address.address.family === gateway.family) &&
      !isLinkLocal(gateway) &&
      !addresses.some((own) => contains(own.address, gateway));
    if (isFar)
      at.at('routes', index, 'gateway').warning(
        'route.gateway_far',
        'is in no network of this interface: the kernel refuses the route unless another one leads there',
      );
  }
}

function checkRoute({ destination, gateway, source }: Route, at: Place): void {
  const given = { destination: destination?.address, gateway, source };
  for (const [name, value] of Object.entries(given)) {
    if (value?.value !== 0n) continue;
    const hint = name === 'destination' ? ': leave it out for the default route' : '';
    at.at(name).problem('route.unspecified', `must not be 0.0.0.0 or ::${hint}`);
  }
  const family = gateway?.family ?? destination?.address.family;
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value.family !== family)
      at.at(name).problem('route.family', 'destination, gateway and source are all IPv4 or all IPv6');
}

function isLinkLocal({ family, value }: Address): boolean {
  return family === 'ipv6' && value >> 118n === 0x3fan;
}
