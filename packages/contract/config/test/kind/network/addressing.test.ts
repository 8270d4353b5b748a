import { tableOf } from '../table.ts';

tableOf('EthernetConfig', {
  reads: [
    [
      'name: eth0\nfeatures: {tx-checksum-ipv4: false}\nrings: {rx: 1024, tx-push: true}\nchannels: {combined: 2}\nwakeOnLan: [magic]\n',
      {
        features: new Map([['tx-checksum-ipv4', false]]),
        rings: { rx: 1024, 'tx-push': true },
        channels: { combined: 2 },
        wakeOnLan: ['magic'],
      },
    ],
  ],
  refuses: [
    ['name: eth0\nfeatures: {tso: §1}\n', 'wrong_type', 'features.tso'],
    ['name: eth0\nfeatures: {§TSO: true}\n', 'ethernet.feature', 'features.TSO'],
    ['name: eth0\nrings: {§rxx: 1}\n', 'unknown_field', 'rings.rxx'],
    ['name: eth0\nwakeOnLan: [§packet]\n', 'invalid_value', 'wakeOnLan[0]'],
  ],
});

tableOf('DHCPv4Config', {
  reads: [['name: eth0\n', { routeMetric: 1024, clientIdentifier: 'mac' }]],
  accepts: [
    'name: eth0\nclientIdentifier: duid\nduidRaw: "00:03"\nignoreRoutes: true\nignoreHostname: true\n',
  ],
  refuses: [
    ['name: eth0\nduidRaw: §"00"\n', 'fields.only_where', 'duidRaw'],
    ['name: eth0\nclientIdentifier: duid\n', 'required', 'duidRaw'],
    ['name: eth0\nclientIdentifier: duid\nduidRaw: §"0"\n', 'dhcp.duid', 'duidRaw'],
    ['name: eth0\nclientIdentifier: §ip\n', 'invalid_value', 'clientIdentifier'],
  ],
});

tableOf('DHCPv6Config', {
  reads: [
    ['name: eth0\nrouteMetric: 5\nclientIdentifier: none\n', { routeMetric: 5, clientIdentifier: 'none' }],
  ],
  refuses: [['name: eth0\n§ignoreRoutes: true\n', 'unknown_field', 'ignoreRoutes']],
});

tableOf('Layer2VIPConfig', {
  accepts: ['name: 10.0.0.100\nlink: eth0\n', 'name: "fd00::100"\nlink: eth0\n'],
  refuses: [
    ['name: §vip\nlink: eth0\n', 'address.invalid', 'name'],
    ['name: 10.0.0.100\n', 'required', 'link'],
  ],
});

tableOf('HCloudVIPConfig', {
  accepts: ['name: 10.0.0.100\nlink: eth0\napiToken: a\n'],
  refuses: [
    ['name: 10.0.0.100\nlink: eth0\n', 'required', 'apiToken'],
    ['name: 10.0.0.100\nlink: eth0\napiToken: §""\n', 'text.empty', 'apiToken'],
  ],
});

tableOf('BlackholeRouteConfig', {
  reads: [['name: 198.51.100.0/24\n', { metric: 1024 }]],
  refuses: [
    ['name: §198.51.100.0\n', 'prefix.invalid', 'name'],
    ['name: §198.51.100.1/24\n', 'prefix.host_bits', 'name'],
  ],
});

const rule = 'name: "1000"\n';

tableOf('RoutingRuleConfig', {
  reads: [[`${rule}table: 7\n`, { name: 1000, table: 7, action: 'unicast' }]],
  accepts: [
    `${rule}action: prohibit\n`,
    `${rule}table: main\nsrc: 10.0.0.0/8\ndst: 10.0.0.0/8\niifName: eth0\noifName: eth1\nfwMark: 1\nfwMask: 255\n`,
  ],
  refuses: [
    ['name: §"a"\ntable: 7\n', 'routing_rule.priority', 'name'],
    ['name: §"0"\ntable: 7\n', 'routing_rule.priority', 'name'],
    ['name: §"32768"\ntable: 7\n', 'routing_rule.priority', 'name'],
    ['name: §"32500"\ntable: 7\n', 'routing_rule.reserved', 'name'],
    ['name: §"32766"\ntable: 7\n', 'routing_rule.reserved', 'name'],
    ['name: §"32767"\ntable: 7\n', 'routing_rule.reserved', 'name'],
    ['name: "1000"\n', 'required', 'table'],
    [`${rule}table: 7\nfwMask: §255\n`, 'fields.needs', 'fwMask'],
    [`${rule}table: 7\nsrc: 10.0.0.0/8\ndst: §"fd00::/8"\n`, 'routing_rule.family', 'dst'],
    [`${rule}table: 7\niifName: §"a b"\n`, 'link_name.invalid', 'iifName'],
  ],
});
