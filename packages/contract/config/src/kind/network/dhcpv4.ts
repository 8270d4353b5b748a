import { document } from '../../document.ts';
import { boolean } from '../../field/scalars.ts';
import { optional } from '../../field/type.ts';
import { dhcpFields, dhcpRules } from './dhcp-block.ts';

/** `DHCPv4Config`: an interface that asks for its IPv4 address. */
export const dhcpv4 = document('DHCPv4Config', 'an interface that asks for its IPv4 address', () => ({
  takesEffect: 'live',
  awaits: 'network',
  fields: {
    ...dhcpFields,
    ignoreRoutes: optional('whether the routes that it gives are left aside', boolean),
  },
  rules: dhcpRules,
  example: 'name: enp0s2\nrouteMetric: 512\n',
}));
