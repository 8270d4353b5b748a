import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { boolean, choice } from '../../field/scalars.ts';
import { optional, required } from '../../field/type.ts';
import { address } from '../../type/address.ts';
import { linkName, newLinkName } from '../../type/link-name.ts';
import { u16, u32, u8 } from '../../type/number.ts';
import { checkBond } from './bond-rules.ts';
import { checkLink, virtualLinkFields } from './link-block.ts';

const modes = [
  'balance-rr',
  'active-backup',
  'balance-xor',
  'broadcast',
  '802.3ad',
  'balance-tlb',
  'balance-alb',
] as const;

/** `BondConfig`: several interfaces as one. */
export const bond = document('BondConfig', 'several interfaces that carry traffic as one', () => ({
  takesEffect: 'live',
  awaits: 'network',
  container: 'ignored',
  clash: 'link',
  fields: {
    name: required('its name', newLinkName),
    ...virtualLinkFields,
    links: required('the interfaces in it', list(linkName, { least: 1 })),
    bondMode: required('how traffic is spread', choice(...modes)),
    miimon: optional('milliseconds between two looks at the links', u32),
    updelay: optional('milliseconds before a link that came back carries traffic', u32),
    downdelay: optional('milliseconds before a lost link is given up', u32),
    useCarrier: optional('whether the carrier tells of a lost link', boolean),
    xmitHashPolicy: optional(
      'what chooses the link of a packet',
      choice('layer2', 'layer3+4', 'layer2+3', 'encap2+3', 'encap3+4'),
    ),
    arpInterval: optional('milliseconds between two ARP probes', u32),
    arpIpTargets: optional('IPv4 addresses that are probed', list(address, { most: 16 })),
    nsIp6Targets: optional('IPv6 addresses that are probed', list(address, { most: 16 })),
    arpValidate: optional(
      'which answers count',
      choice('none', 'active', 'backup', 'all', 'filter', 'filter-active', 'filter-backup'),
    ),
    arpAllTargets: optional('how many targets must answer', choice('any', 'all')),
    lacpRate: optional('how often LACP packets are asked for', choice('slow', 'fast')),
    failOverMac: optional('whose hardware address the bond has', choice('none', 'active', 'follow')),
    adSelect: optional('which aggregator is active', choice('stable', 'bandwidth', 'count')),
    adActorSysPrio: optional('priority of this system in LACP', u16),
    adUserPortKey: optional('upper bits of the port key in LACP', u16),
    adLACPActive: optional('whether this side begins with LACP', choice('on', 'off')),
    primary: optional('the interface that is used while it is up', linkName),
    primaryReselect: optional('when the primary is taken again', choice('always', 'better', 'failure')),
    resendIGMP: optional('IGMP reports after a change of link', u32),
    minLinks: optional('links that must be up for the bond to be up', u32),
    lpInterval: optional('seconds between two learning packets', u32),
    packetsPerSlave: optional('packets before the next link is used', u32),
    peerNotifDelay: optional('milliseconds between two notifications of peers', u32),
    numPeerNotif: optional('notifications of peers after a change of link', u8),
    tlbLogicalLb: optional('whether outgoing traffic is balanced by load', u8),
    allSlavesActive: optional('whether packets of links in reserve are taken', u8),
    missedMax: optional('ARP probes that may be missed', u8),
  },
  check: (value, at) => {
    checkLink(value, at);
    checkBond(value, at);
    for (const [field, family] of [
      ['arpIpTargets', 'ipv4'],
      ['nsIp6Targets', 'ipv6'],
    ] as const)
      for (const [index, target] of (value[field] ?? []).entries())
        if (target.family !== family)
          at.at(field, index).problem(
            'bond.target',
            `must be an ${family === 'ipv4' ? 'IPv4' : 'IPv6'} address`,
          );
  },
  example: 'name: bond0\nlinks: [enp0s2, enp0s3]\nbondMode: active-backup\nmiimon: 100\nprimary: enp0s2\n',
}));
