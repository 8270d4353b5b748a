import { tableOf } from '../table.ts';

const name = 'name: eth0\n';

tableOf('LinkConfig', {
  reads: [
    [name, { name: 'eth0' }],
    [
      `${name}up: false\nmtu: 9000\nmulticast: true\n`,
      { name: 'eth0', up: false, mtu: 9000, multicast: true },
    ],
  ],
  accepts: [
    'name: lo\nmtu: 0\n',
    `${name}addresses: [{address: 10.0.0.5/24, routePriority: 5}, {address: "fd00::5/64"}]\n`,
    `${name}addresses: [{address: 10.0.0.4/31}, {address: 10.0.1.0/32}]\n`,
    `${name}addresses: [{address: 10.0.0.5/24}]\nroutes: [{gateway: 10.0.0.1}]\n`,
    `${name}routes: [{destination: 10.1.0.0/16, gateway: 10.0.0.1, source: 10.0.0.5, metric: 1, mtu: 1400, table: 7}]\n`,
    `${name}routes: [{destination: 10.1.0.0/16}]\n`,
    `${name}addresses: [{address: "fd00::5/64"}]\nroutes: [{gateway: "fe80::1"}]\n`,
    `${name}routes: [{gateway: 10.0.0.1, table: main}, {gateway: 10.0.0.1, table: 4294967295}]\n`,
  ],
  refuses: [
    ['name: §""\n', 'link_name.invalid', 'name'],
    ['name: §sixteencharacter\n', 'link_name.invalid', 'name'],
    ['name: §a/b\n', 'link_name.invalid', 'name'],
    ['name: §"a b"\n', 'link_name.invalid', 'name'],
    ['name: §"a:b"\n', 'link_name.invalid', 'name'],
    ['name: §..\n', 'link_name.invalid', 'name'],
    [`${name}mtu: §67\n`, 'link.mtu', 'mtu'],
    [`${name}mtu: §65536\n`, 'number.range', 'mtu'],
    [`${name}mtu: §1279\naddresses: [{address: "fd00::5/64"}]\n`, 'link.mtu', 'mtu'],
    [`${name}addresses: [§{routePriority: 5}]\n`, 'required', 'addresses[0].address'],
    [`${name}addresses: [{address: §10.0.0.5}]\n`, 'prefix.invalid', 'addresses[0].address'],
    [`${name}addresses: [{address: §10.0.0.5/33}]\n`, 'prefix.invalid', 'addresses[0].address'],
    [`${name}addresses: [{address: §0.0.0.0/0}]\n`, 'link.address', 'addresses[0].address'],
    [
      `${name}addresses: [{address: 10.0.0.5/24}, {address: §10.0.0.5/24}]\n`,
      'list.duplicate',
      'addresses[1].address',
    ],
    [`${name}routes: [§{metric: 5}]\n`, 'fields.at_least_one', 'routes[0]'],
    [
      `${name}routes: [{destination: §0.0.0.0/0, gateway: 10.0.0.1}]\n`,
      'route.unspecified',
      'routes[0].destination',
    ],
    [`${name}routes: [{gateway: §0.0.0.0}]\n`, 'route.unspecified', 'routes[0].gateway'],
    [`${name}routes: [{gateway: 10.0.0.1, source: §0.0.0.0}]\n`, 'route.unspecified', 'routes[0].source'],
    [
      `${name}routes: [{destination: §"fd00::/8", gateway: 10.0.0.1}]\n`,
      'route.family',
      'routes[0].destination',
    ],
    [`${name}routes: [{gateway: 10.0.0.1, source: §"fd00::1"}]\n`, 'route.family', 'routes[0].source'],
    [`${name}routes: [{gateway: 10.0.0.1, table: §0}]\n`, 'table.invalid', 'routes[0].table'],
    [`${name}routes: [{gateway: 10.0.0.1, table: §4294967296}]\n`, 'table.invalid', 'routes[0].table'],
    [`${name}routes: [{gateway: 10.0.0.1, table: §other}]\n`, 'table.invalid', 'routes[0].table'],
    [`${name}routes: [{gateway: 10.0.0.1, metric: §-1}]\n`, 'number.range', 'routes[0].metric'],
  ],
  warns: [
    [`${name}addresses: [{address: §10.0.0.0/24}]\n`, 'link.network_address', 'addresses[0].address'],
    [
      `${name}addresses: [{address: 10.0.0.5/24}]\nroutes: [{gateway: §10.1.0.1}]\n`,
      'route.gateway_far',
      'routes[0].gateway',
    ],
  ],
});

tableOf('DummyLinkConfig', {
  reads: [['name: dummy0\nhardwareAddr: 02-00-00-00-00-0A\n', { hardwareAddr: '02:00:00:00:00:0a' }]],
  refuses: [
    ['name: §lo\n', 'link_name.taken', 'name'],
    ['name: §all\n', 'link_name.taken', 'name'],
    ['name: dummy0\nhardwareAddr: §02:00:00:00:00\n', 'mac.invalid', 'hardwareAddr'],
    ['name: dummy0\nhardwareAddr: §00:00:00:00:00:00\n', 'mac.invalid', 'hardwareAddr'],
    ['name: dummy0\nhardwareAddr: §01:00:5e:00:00:01\n', 'mac.multicast', 'hardwareAddr'],
    ['name: dummy0\nmtu: §60\n', 'link.mtu', 'mtu'],
  ],
});

tableOf('LinkAliasConfig', {
  accepts: [
    'name: net0\nselector: {match: link.driver == "virtio_net"}\n',
    'name: net%d\nselector:\n  match: mac(link.permanent_addr).startsWith("52:54:00") && glob("0000:*", link.bus_path)\n',
  ],
  refuses: [
    ['name: §n%det\nselector: {match: "true"}\n', 'link_alias.pattern', 'name'],
    ['name: §"%d"\nselector: {match: "true"}\n', 'link_alias.name', 'name'],
    ['name: §net%x\nselector: {match: "true"}\n', 'link_alias.pattern', 'name'],
    ['name: §n%d%d\nselector: {match: "true"}\n', 'link_alias.pattern', 'name'],
    ['name: net0\n', 'required', 'selector'],
    ['name: net0\nselector: §{}\n', 'required', 'selector.match'],
    ['name: net0\nselector: {match: §link.driver}\n', 'selector.invalid', 'selector.match'],
    ['name: net0\nselector: {match: §disk.size > 1u}\n', 'selector.invalid', 'selector.match'],
    ['name: net0\nselector: {match: link.§drivers == "a"}\n', 'selector.invalid', 'selector.match'],
  ],
});

tableOf('BridgeConfig', {
  reads: [
    [
      'name: br0\nlinks: [eth0]\nstp: {enabled: true}\nvlan: {filtering: true}\n',
      { links: ['eth0'], stp: { enabled: true }, vlan: { filtering: true } },
    ],
  ],
  accepts: ['name: br0\n'],
  refuses: [
    ['name: br0\nlinks: [eth0, §br0]\n', 'link.itself', 'links[1]'],
    ['name: br0\nlinks: [eth0, §eth0]\n', 'list.duplicate', 'links[1]'],
    ['name: br0\nvlan: {§filter: true}\n', 'unknown_field', 'vlan.filter'],
  ],
});

tableOf('VLANConfig', {
  reads: [['name: eth0.7\nvlanID: 7\nparent: eth0\n', { vlanID: 7, vlanMode: '802.1q', parent: 'eth0' }]],
  accepts: ['name: q\nvlanID: 4094\nvlanMode: 802.1ad\nparent: eth0\n'],
  refuses: [
    ['name: q\nvlanID: §0\nparent: eth0\n', 'number.range', 'vlanID'],
    ['name: q\nvlanID: §4095\nparent: eth0\n', 'number.range', 'vlanID'],
    ['name: q\nvlanID: 1\nparent: §q\n', 'link.itself', 'parent'],
    ['name: q\nvlanID: 1\nvlanMode: §qinq\nparent: eth0\n', 'invalid_value', 'vlanMode'],
    ['name: q\nvlanID: 1\n', 'required', 'parent'],
  ],
});

tableOf('VRFConfig', {
  reads: [['name: blue\nlinks: [eth1]\ntable: 100\n', { links: ['eth1'], table: 100 }]],
  refuses: [
    ['name: blue\nlinks: [eth1]\ntable: §main\n', 'vrf.table', 'table'],
    ['name: blue\nlinks: [eth1]\ntable: §255\n', 'vrf.table', 'table'],
    ['name: blue\nlinks: [eth1]\ntable: §0\n', 'table.invalid', 'table'],
    ['name: blue\ntable: 100\n', 'required', 'links'],
  ],
});

tableOf('VethConfig', {
  reads: [['name: a\npeer: {name: b, mtu: 1400}\n', { name: 'a', peer: { name: 'b', mtu: 1400 } }]],
  refuses: [
    ['name: a\npeer: {name: §a}\n', 'link.itself', 'peer.name'],
    ['name: a\npeer: {name: §"b c"}\n', 'link_name.invalid', 'peer.name'],
    ['name: a\npeer: §{}\n', 'required', 'peer.name'],
    ['name: a\npeer: {name: b, mtu: §10}\n', 'link.mtu', 'peer.mtu'],
  ],
});
