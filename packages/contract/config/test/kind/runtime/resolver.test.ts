import { tableOf } from '../table.ts';

const own = 'hostDNS: {enabled: true}\n';

tableOf('ResolverConfig', {
  reads: [
    [
      'nameservers: [{address: 10.0.0.1}]\n',
      {
        nameservers: [
          { address: { text: '10.0.0.1', family: 'ipv4', value: 0x0a000001n }, protocol: 'Do53' },
        ],
      },
    ],
    ['searchDomains: {domains: []}\n', { searchDomains: { domains: [], disableDefault: false } }],
    [
      'hostDNS: {}\n',
      { hostDNS: { enabled: false, forwardKubeDNSToHost: false, resolveMemberNames: false } },
    ],
  ],
  accepts: [
    `nameservers: [{address: 10.0.0.1}, {address: "fd00::1", protocol: DoH, tlsServerName: a.example}]\n${own}`,
    'hostDNS: {enabled: false, resolveMemberNames: false}\n',
  ],
  refuses: [
    ['nameservers: [{address: §a}]\n', 'address.invalid', 'nameservers[0].address'],
    ['nameservers: [§{protocol: Do53}]\n', 'required', 'nameservers[0].address'],
    [
      `nameservers: [{address: 10.0.0.1}, §{address: 10.0.0.2, protocol: DoT}]\n${own}`,
      'required',
      'nameservers[1].tlsServerName',
    ],
    [
      'nameservers: [{address: 10.0.0.1, tlsServerName: §a}]\n',
      'fields.only_where',
      'nameservers[0].tlsServerName',
    ],
    ['nameservers: [{address: 10.0.0.1, protocol: §dot}]\n', 'invalid_value', 'nameservers[0].protocol'],
    [
      'nameservers: [{address: 10.0.0.1}, {address: 10.0.0.2, protocol: §DoT, tlsServerName: a}]\n',
      'resolver.encrypted',
      'nameservers[1].protocol',
    ],
    ['hostDNS: {forwardKubeDNSToHost: §true}\n', 'resolver.host_dns', 'hostDNS.forwardKubeDNSToHost'],
    [
      'hostDNS: {enabled: false, resolveMemberNames: §true}\n',
      'resolver.host_dns',
      'hostDNS.resolveMemberNames',
    ],
    ['searchDomains: {domains: [§"a b"]}\n', 'host.name', 'searchDomains.domains[0]'],
    ['searchDomains: {domains: [§10.0.0.1]}\n', 'host.name', 'searchDomains.domains[0]'],
  ],
  warns: [
    [
      `nameservers: §[{address: 10.0.0.2, protocol: DoT, tlsServerName: a}]\n${own}`,
      'resolver.all_encrypted',
      'nameservers',
    ],
  ],
});
