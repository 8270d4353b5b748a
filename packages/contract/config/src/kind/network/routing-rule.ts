import { document } from '../../document.ts';
import { Mistake } from '../../field/mistake.ts';
import { parsed } from '../../field/parsed.ts';
import { needs } from '../../field/rule.ts';
import { choice } from '../../field/scalars.ts';
import { fallback, optional, required, type Type } from '../../field/type.ts';
import { prefix } from '../../type/address.ts';
import { linkName } from '../../type/link-name.ts';
import { u32 } from '../../type/number.ts';
import { routingTable } from '../../type/routing-table.ts';

/** Priorities of rules that the kernel or the mesh has. */
const reserved: ReadonlySet<number> = new Set([32_500, 32_766, 32_767]);

const priority: Type<number> = parsed('a priority', {
  json: { pattern: '^[1-9][0-9]{0,4}$' },
  parse: (text) => {
    const value = /^[1-9]\d{0,4}$/u.test(text) ? Number(text) : 0;
    if (value < 1 || value > 32_767)
      return new Mistake('routing_rule.priority', 'must be a priority from 1 to 32765, in quotes');
    return reserved.has(value) || value > 32_765
      ? new Mistake('routing_rule.reserved', 'is the priority of a rule that is there already')
      : value;
  },
});

/** `RoutingRuleConfig`: which packets go by which routing table. */
export const routingRule = document('RoutingRuleConfig', 'which packets go by which routing table', () => ({
  takesEffect: 'live',
  awaits: 'network',
  fields: {
    name: required('its priority; rules are asked from the lowest on', priority),
    src: optional('network that packets come from', prefix),
    dst: optional('network that packets go to', prefix),
    table: optional('routing table that they go by', routingTable),
    action: fallback(
      'what becomes of them',
      choice('unicast', 'blackhole', 'unreachable', 'prohibit'),
      'unicast',
    ),
    iifName: optional('interface that they come in by', linkName),
    oifName: optional('interface that their socket is bound to', linkName),
    fwMark: optional('mark that they have', u32),
    fwMask: optional('bits of the mark that count', u32),
  },
  rules: [needs('fwMask', 'fwMark')],
  check: ({ action, table, src, dst }, at) => {
    if (action === 'unicast' && table === undefined)
      at.problemAt('table', 'required', 'table is required with action: unicast');
    if (src !== undefined && dst !== undefined && src.address.family !== dst.address.family)
      at.at('dst').problem('routing_rule.family', 'src and dst are both IPv4 or both IPv6');
  },
  example: 'name: "1000"\nsrc: 10.1.0.0/24\ntable: 100\n',
}));
