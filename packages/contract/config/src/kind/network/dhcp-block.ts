import { neededWhere, onlyWhere } from '../../field/rule.ts';
import { boolean, choice } from '../../field/scalars.ts';
import { text } from '../../field/text.ts';
import { fallback, optional, required } from '../../field/type.ts';
import { linkName } from '../../type/link-name.ts';
import { u32 } from '../../type/number.ts';

const duid = text({
  longest: 389,
  pattern: {
    regex: /^[0-9A-Fa-f]{2}(?::?[0-9A-Fa-f]{2}){0,129}$/u,
    code: 'dhcp.duid',
    message: 'must be bytes in hexadecimal, such as 00:03:00:01',
  },
});

/** What DHCP of both families has. */
export const dhcpFields = {
  name: required('the interface', linkName),
  routeMetric: fallback('metric of the routes that it gives', u32, 1024),
  ignoreHostname: optional('whether the name that it gives is left aside', boolean),
  clientIdentifier: fallback('how the node is told apart', choice('none', 'mac', 'duid'), 'mac'),
  duidRaw: optional('the identifier, in hexadecimal', duid),
};

/** The identifier is there exactly where it is used. */
export const dhcpRules = [
  onlyWhere('duidRaw', 'clientIdentifier', ['duid']),
  neededWhere('duidRaw', 'clientIdentifier', ['duid']),
];
