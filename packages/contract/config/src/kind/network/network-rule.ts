import { contains } from '@nodecore/sys/pure';

import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { choice } from '../../field/scalars.ts';
import { optional, required, type ValueOf } from '../../field/type.ts';
import { type Place } from '../../place.ts';
import { prefix } from '../../type/address.ts';
import { documentName } from '../../type/document-name.ts';
import { portRange } from '../../type/port-range.ts';

const portSelector = object({
  ports: required('ports and ranges of ports', list(portRange, { least: 1, merge: 'replace' })),
  protocol: required('the protocol', choice('tcp', 'udp', 'icmp', 'icmpv6')),
});

const source = object({
  subnet: required('where packets may come from', prefix),
  except: optional('and where not', prefix),
});

/** `NetworkRuleConfig`: packets that the firewall of the node lets in. */
export const networkRule = document('NetworkRuleConfig', 'packets that the firewall lets in', () => ({
  takesEffect: 'live',
  awaits: 'network',
  fields: {
    name: required('a name for it', documentName),
    portSelector: required('to which ports', portSelector),
    ingress: required('from where', list(source, { merge: 'replace' })),
  },
  check: ({ portSelector: selector, ingress }, at) => {
    checkPorts(selector, at.at('portSelector'));
    if (ingress.length === 0) at.at('ingress').warning('network_rule.nobody', 'lets nobody in');
    for (const [index, { subnet, except }] of ingress.entries())
      if (except !== undefined && !contains(subnet, except))
        at.at('ingress', index, 'except').problem('network_rule.except', 'is not a part of subnet');
  },
  example:
    'name: web\nportSelector:\n  ports: [80, 443, 8000-8100]\n  protocol: tcp\ningress:\n  - {subnet: 10.0.0.0/8, except: 10.9.0.0/16}\n',
}));

function checkPorts({ ports, protocol }: ValueOf<typeof portSelector>, at: Place): void {
  if (protocol.startsWith('icmp'))
    at.at('ports').problem('network_rule.ports', 'ICMP has no ports: a limited rate of it is always let in');
  for (const [index, { first, last }] of ports.entries())
    if (ports.slice(0, index).some((one) => one.first <= last && first <= one.last))
      at.at('ports', index).problem('network_rule.overlap', 'overlaps another range of this rule');
}
