import { tableOf } from '../table.ts';

const bgp = 'name: a\nlocalASN: 65001\nneighbors: [{address: 10.0.0.1}]\n';

tableOf('BGPInstanceConfig', {
  reads: [[bgp, { localASN: 65_001, multipath: false, installRoutes: true }]],
  accepts: [
    `${bgp}routerID: 10.0.0.1\nrouteSource: 10.0.0.1\nadvertise: [dummy0]\nmaxPaths: 4\n`,
    'name: a\nlocalASN: 1\nneighbors: [{link: eth0, peerASN: 0, localASN: 7, passive: true, holdTime: 0, bfd: {transmitInterval: 300ms, receiveInterval: 300ms, detectMultiplier: 3}}]\n',
  ],
  refuses: [
    ['name: a\n', 'required', 'localASN'],
    ['name: a\nlocalASN: §0\n', 'number.range', 'localASN'],
    [`${bgp}routerID: §"fd00::1"\n`, 'bgp.router_id', 'routerID'],
    [`${bgp}routerID: §0.0.0.0\n`, 'bgp.router_id', 'routerID'],
    ['name: a\nlocalASN: 1\nneighbors: [§{}]\n', 'fields.one_of', 'neighbors[0]'],
    [
      'name: a\nlocalASN: 1\nneighbors: [{address: 10.0.0.1, link: §eth0}]\n',
      'fields.one_of',
      'neighbors[0].link',
    ],
    [
      'name: a\nlocalASN: 1\nneighbors: [{address: "fd00::1"}, §{address: "fd00:0::1"}]\n',
      'bgp.neighbor',
      'neighbors[1]',
    ],
    [
      'name: a\nlocalASN: 1\nneighbors: [{address: 10.0.0.1, holdTime: §2s}]\n',
      'bgp.hold_time',
      'neighbors[0].holdTime',
    ],
    [
      'name: a\nlocalASN: 1\nvrf: blue\nneighbors: [{address: 10.0.0.1, bfd: §{}}]\n',
      'bgp.bfd',
      'neighbors[0].bfd',
    ],
    [
      `${bgp}importRoutes: [{bgpInstance: §a, prefixes: [10.0.0.0/8]}]\n`,
      'bgp.import',
      'importRoutes[0].bgpInstance',
    ],
    [`${bgp}importRoutes: [{bgpInstance: b, prefixes: §[]}]\n`, 'list.short', 'importRoutes[0].prefixes'],
    [
      `${bgp}importRoutes: [{bgpInstance: b, prefixes: [10.0.0.0/8]}, {bgpInstance: §b, prefixes: [192.168.0.0/16]}]\n`,
      'bgp.import',
      'importRoutes[1].bgpInstance',
    ],
    [
      `${bgp}importRoutes: [{bgpInstance: b, prefixes: [10.0.0.0/8]}, {bgpInstance: c, prefixes: [§10.1.0.0/16]}]\n`,
      'bgp.import',
      'importRoutes[1].prefixes[0]',
    ],
    [
      `${bgp}importRoutes: [{bgpInstance: b, prefixes: [§10.0.0.1/8]}]\n`,
      'prefix.host_bits',
      'importRoutes[0].prefixes[0]',
    ],
  ],
  warns: [['name: §a\nlocalASN: 65001\n', 'bgp.alone', 'name']],
});

tableOf('NetworkDefaultActionConfig', {
  reads: [['ingress: accept\n', { ingress: 'accept' }]],
  accepts: ['ingress: block\n'],
  refuses: [['ingress: §drop\n', 'invalid_value', 'ingress']],
});

const to = (ports: string, protocol = 'tcp'): string =>
  `name: a\nportSelector: {ports: ${ports}, protocol: ${protocol}}\n`;
const from = 'ingress: [{subnet: 10.0.0.0/8}]\n';

tableOf('NetworkRuleConfig', {
  reads: [
    [
      `${to('[443, "8000-8100"]')}${from}`,
      {
        portSelector: {
          ports: [
            { first: 443, last: 443 },
            { first: 8000, last: 8100 },
          ],
          protocol: 'tcp',
        },
      },
    ],
  ],
  accepts: [`${to('[53]', 'udp')}ingress: [{subnet: 10.0.0.0/8, except: 10.1.0.0/16}]\n`],
  refuses: [
    [`${to('§[]')}${from}`, 'list.short', 'portSelector.ports'],
    [`${to('[§0]')}${from}`, 'port.invalid', 'portSelector.ports[0]'],
    [`${to('[§"1-65536"]')}${from}`, 'port.invalid', 'portSelector.ports[0]'],
    [`${to('[§"20-10"]')}${from}`, 'port.order', 'portSelector.ports[0]'],
    [`${to('["10-20", §"20-30"]')}${from}`, 'network_rule.overlap', 'portSelector.ports[1]'],
    [`${to('§[1]', 'icmp')}${from}`, 'network_rule.ports', 'portSelector.ports'],
    [`${to('[1]', '§sctp')}${from}`, 'invalid_value', 'portSelector.protocol'],
    [`${to('[1]')}ingress: [§{}]\n`, 'required', 'ingress[0].subnet'],
    [
      `${to('[1]')}ingress: [{subnet: 10.0.0.0/8, except: §11.0.0.0/16}]\n`,
      'network_rule.except',
      'ingress[0].except',
    ],
  ],
  warns: [[`${to('[1]')}ingress: §[]\n`, 'network_rule.nobody', 'ingress']],
});

tableOf('MeshConfig', {
  reads: [['enabled: false\n', { enabled: false, allowDownPeerBypass: false, mtu: 1420 }]],
  accepts: ['filters: {endpoints: ["!10.0.0.0/8", "fd00::1"], excludeAdvertisedNetworks: [10.0.0.0/8]}\n'],
  refuses: [
    ['mtu: §1279\n', 'number.range', 'mtu'],
    ['filters: {endpoints: [§"!!10.0.0.0/8"]}\n', 'mesh.filter', 'filters.endpoints[0]'],
    ['filters: {endpoints: [§10.0.0.1/8]}\n', 'mesh.filter', 'filters.endpoints[0]'],
    [
      'filters: {excludeAdvertisedNetworks: [§10.0.0.1/8]}\n',
      'prefix.host_bits',
      'filters.excludeAdvertisedNetworks[0]',
    ],
  ],
});

tableOf('MeshEndpointsConfig', {
  accepts: ['extraAnnouncedEndpoints: ["203.0.113.7:51820"]\n'],
  refuses: [['extraAnnouncedEndpoints: [§"host:1"]\n', 'endpoint.address', 'extraAnnouncedEndpoints[0]']],
});
