import { document } from '../../document.ts';
import { dhcpFields, dhcpRules } from './dhcp-block.ts';

/** `DHCPv6Config`: an interface that asks for its IPv6 address. */
export const dhcpv6 = document('DHCPv6Config', 'an interface that asks for its IPv6 address', () => ({
  takesEffect: 'live',
  awaits: 'network',
  fields: dhcpFields,
  rules: dhcpRules,
  example: 'name: enp0s2\nclientIdentifier: duid\nduidRaw: "00:03:00:01:02:00:00:00:00:01"\n',
}));
