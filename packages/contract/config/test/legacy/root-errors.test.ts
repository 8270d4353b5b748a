import test from 'ava';

import { unmark, warningsOf } from '../fixtures/marked.ts';
import { problemsOf } from '../fixtures/problems.ts';
import { crt, key, rootWith } from '../fixtures/root.ts';

type Case = readonly [what: string, code: string, path: string, marked: string];

const links = (text: string): string => rootWith(`  network:\n    interfaces:\n${text}`);
const link = (text: string): string => links(`      - {interface: eth0, ${text}}\n`);
const bond = (text: string): string => link(`bond: {interfaces: [eth1], ${text}}`);
const wireguardKey = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

/** A rule each: the code, the path in the root, and the text with a `§` where it is named. */
const refused: readonly Case[] = [
  ['no machine', 'required', 'machine', '§version: v1alpha1\n'],
  ['a type that there is not', 'invalid_value', 'machine.type', rootWith('', '', '§master')],
  ['persist: false', 'root.persist', 'persist', `persist: §false\n${rootWith('')}`],
  [
    'the key of the cluster on a worker',
    'machine.worker_key',
    'cluster.ca.key',
    rootWith('', `  ca: {crt: ${crt}, key: §${key}}\n`, 'worker'),
  ],
  [
    'a member of the kvstore on a worker',
    'machine.controlplane_only',
    'cluster.kvstore',
    rootWith('', `  kvstore: §{ca: {crt: ${crt}, key: ${key}}}\n`, 'worker'),
  ],
  [
    'an address that moves on a worker',
    'machine.controlplane_only',
    'machine.network.interfaces[0].vip',
    rootWith('  network: {interfaces: [{interface: eth0, vip: §{ip: 10.0.0.9}}]}\n', '', 'worker'),
  ],
  [
    'access for pods on a worker',
    'machine.controlplane_only',
    'machine.features.nodeAPIAccess',
    rootWith('  features: {nodeAPIAccess: §{enabled: true}}\n', '', 'worker'),
  ],
  [
    'a role that there is not',
    'invalid_value',
    'machine.features.nodeAPIAccess.allowedRoles[0]',
    rootWith('  features: {nodeAPIAccess: {enabled: true, allowedRoles: [§root]}}\n'),
  ],
  [
    'an algorithm that there is not',
    'invalid_value',
    'machine.features.nodeAddressSortAlgorithm',
    rootWith('  features: {nodeAddressSortAlgorithm: §v3}\n'),
  ],
  [
    'a resolver that forwards and is off',
    'resolver.host_dns',
    'machine.features.hostDNS.forwardKubeDNSToHost',
    rootWith('  features: {hostDNS: {enabled: false, forwardKubeDNSToHost: §true}}\n'),
  ],
  [
    'arguments of the kernel beside those of the image',
    'install.kernel_arguments',
    'machine.install.extraKernelArgs',
    rootWith('  install: {disk: /dev/sda, grubUseUKICmdline: true, extraKernelArgs: §[a=b]}\n'),
  ],
  [
    'an extension twice',
    'install.extension',
    'machine.install.extensions[1].image',
    rootWith(
      '  install: {disk: /dev/sda, extensions: [{image: "a.example/x:1"}, {image: §"a.example/x:2"}]}\n',
    ),
  ],
  [
    'a selector of a disk that says nothing',
    'install.selector',
    'machine.install.diskSelector',
    rootWith('  install: {diskSelector: §{}}\n'),
  ],
  ['a disk without a value', 'wrong_type', 'machine.disks[0]', rootWith('  disks: [§~]\n')],
  [
    'a partition of the whole disk in front of another',
    'disk.partition_size',
    'machine.disks[0].partitions[0]',
    rootWith('  disks: [{device: /dev/sdb, partitions: [§{mountpoint: /var/a}, {mountpoint: /var/b}]}]\n'),
  ],
  [
    'encryption without keys',
    'encryption.keys_required',
    'machine.systemDiskEncryption.state',
    rootWith('  systemDiskEncryption: {state: §{provider: luks2}}\n'),
  ],
  [
    'a slot twice',
    'key.slot_duplicate',
    'machine.systemDiskEncryption.ephemeral.keys[1].slot',
    rootWith(
      '  systemDiskEncryption: {ephemeral: {provider: luks2, keys: [{slot: 1, nodeID: {}}, {slot: §1, nodeID: {}}]}}\n',
    ),
  ],
  [
    'a key without a source',
    'key.source_required',
    'machine.systemDiskEncryption.state.keys[0]',
    rootWith('  systemDiskEncryption: {state: {provider: luks2, keys: [§{slot: 1}]}}\n'),
  ],
  [
    'a receiver of lines by http',
    'url.invalid',
    'machine.logging.destinations[0].endpoint',
    rootWith('  logging: {destinations: [{endpoint: §"http://a:1", format: json_lines}]}\n'),
  ],
  [
    'lines of another form',
    'invalid_value',
    'machine.logging.destinations[0].format',
    rootWith('  logging: {destinations: [{endpoint: "tcp://a:1", format: §text}]}\n'),
  ],
  [
    'a label with a blank',
    'label.value',
    'machine.nodeLabels.rack',
    rootWith('  nodeLabels: {rack: §a b}\n'),
  ],
  [
    'an annotation that is no name',
    'label.name',
    'machine.nodeAnnotations.a/b/c',
    rootWith('  nodeAnnotations: {§a/b/c: d}\n'),
  ],
  ['a taint without effect', 'taint.effect', 'machine.nodeTaints.a', rootWith('  nodeTaints: {a: §b}\n')],
  [
    'a mirror without a value',
    'wrong_type',
    'machine.registries.mirrors.a.example',
    rootWith('  registries: {mirrors: {§a.example: ~}}\n'),
  ],
  [
    'a registry without a value',
    'wrong_type',
    'machine.registries.config.a.example',
    rootWith('  registries: {config: {§a.example: ~}}\n'),
  ],
  [
    'two ways to come to a registry',
    'registry_auth.one',
    'machine.registries.config.a.example.auth.identityToken',
    rootWith('  registries: {config: {a.example: {auth: {username: a, password: b, identityToken: §c}}}}\n'),
  ],
  [
    'an interface without a name',
    'fields.one_of',
    'machine.network.interfaces[0]',
    links('      - §{mtu: 1500}\n'),
  ],
  [
    'an interface by name and by what it is',
    'fields.one_of',
    'machine.network.interfaces[0].deviceSelector',
    link('deviceSelector: §{driver: e1000}'),
  ],
  [
    'an interface by nothing',
    'device_selector.empty',
    'machine.network.interfaces[0].deviceSelector',
    links('      - {deviceSelector: §{}}\n'),
  ],
  [
    'an interface in two bonds',
    'link.taken',
    'machine.network.interfaces[1].bond.interfaces[0]',
    links(
      '      - {interface: b0, bond: {interfaces: [eth1], mode: active-backup}}\n      - {interface: b1, bond: {interfaces: [§eth1], mode: active-backup}}\n',
    ),
  ],
  [
    'an interface in a bond and a bridge',
    'link.taken',
    'machine.network.interfaces[1].bridge.interfaces[0]',
    links(
      '      - {interface: b0, bond: {interfaces: [eth1], mode: active-backup}}\n      - {interface: b1, bridge: {interfaces: [§eth1]}}\n',
    ),
  ],
  [
    'a bond that is a bridge',
    'fields.at_most_one',
    'machine.network.interfaces[0].bridge',
    bond('mode: active-backup}, bridge: §{'),
  ],
  [
    'an address of an interface in a bond',
    'interface.enslaved',
    'machine.network.interfaces[1].addresses',
    links(
      '      - {interface: b0, bond: {interfaces: [eth1], mode: active-backup}}\n      - {interface: eth1, addresses: §[10.0.0.1/24]}\n',
    ),
  ],
  [
    'an address in two ways',
    'fields.at_most_one',
    'machine.network.interfaces[0].addresses',
    link('cidr: 10.0.0.1/24, addresses: §[10.0.0.1/24]'),
  ],
  [
    'a route that leads nowhere',
    'fields.at_least_one',
    'machine.network.interfaces[0].routes[0]',
    link('routes: [§{metric: 1}]'),
  ],
  [
    'a bond without a mode',
    'required',
    'machine.network.interfaces[0].bond.mode',
    link('bond: §{interfaces: [eth1]}'),
  ],
  [
    'a bond without interfaces',
    'list.short',
    'machine.network.interfaces[0].bond.interfaces',
    link('bond: {interfaces: §[], mode: broadcast}'),
  ],
  [
    'a target that was never served',
    'bond.not_served',
    'machine.network.interfaces[0].bond.arpIPTarget',
    bond('mode: broadcast, arpIPTarget: §[10.0.0.1]'),
  ],
  [
    'an actor that was never served',
    'bond.not_served',
    'machine.network.interfaces[0].bond.adActorSystem',
    bond('mode: broadcast, adActorSystem: §"a"'),
  ],
  [
    'a delay that is no multiple',
    'bond.delay',
    'machine.network.interfaces[0].bond.updelay',
    bond('mode: active-backup, miimon: 100, updelay: §150'),
  ],
  [
    'a rate of another mode',
    'bond.mode',
    'machine.network.interfaces[0].bond.lacpRate',
    bond('mode: active-backup, lacpRate: §fast'),
  ],
  [
    'a primary of another bond',
    'bond.primary',
    'machine.network.interfaces[0].bond.primary',
    bond('mode: active-backup, primary: §eth9'),
  ],
  [
    'two ways to watch a bond',
    'bond.monitoring',
    'machine.network.interfaces[0].bond.arpInterval',
    bond('mode: active-backup, miimon: 100, arpInterval: §100'),
  ],
  [
    'a key that is none',
    'wireguard.key',
    'machine.network.interfaces[0].wireguard.privateKey',
    link('wireguard: {privateKey: §abc}'),
  ],
  [
    'a peer without a port',
    'endpoint.address',
    'machine.network.interfaces[0].wireguard.peers[0].endpoint',
    link(
      `wireguard: {privateKey: ${wireguardKey}, peers: [{publicKey: ${wireguardKey.replace('AAEC', 'AQEC')}, endpoint: §10.0.0.1}]}`,
    ),
  ],
  [
    'a network of a peer with bits behind it',
    'prefix.host_bits',
    'machine.network.interfaces[0].wireguard.peers[0].allowedIPs[0]',
    link(
      `wireguard: {privateKey: ${wireguardKey}, peers: [{publicKey: ${wireguardKey.replace('AAEC', 'AQEC')}, allowedIPs: [§10.0.0.1/8]}]}`,
    ),
  ],
  [
    'a CNI that there is not',
    'invalid_value',
    'cluster.network.cni.name',
    rootWith('', '  network: {cni: {name: §calico}}\n'),
  ],
  [
    'URLs of flannel',
    'cni.urls',
    'cluster.network.cni.urls',
    rootWith('', '  network: {cni: {name: flannel, urls: §["https://a.example/x"]}}\n'),
  ],
  [
    'URLs of none',
    'cni.urls',
    'cluster.network.cni.urls',
    rootWith('', '  network: {cni: {name: none, urls: §["https://a.example/x"]}}\n'),
  ],
  [
    'a domain that is none',
    'domain.invalid',
    'cluster.network.dnsDomain',
    rootWith('', '  network: {dnsDomain: §a_b}\n'),
  ],
  [
    'a network of services within that of pods',
    'orch_network.overlap',
    'cluster.network.serviceSubnets[0]',
    rootWith('', '  network: {podSubnets: [10.0.0.0/16], serviceSubnets: [§10.0.0.0/20]}\n'),
  ],
  [
    'manifests of a cloud that takes no part',
    'cloud_provider.manifests',
    'cluster.externalCloudProvider.manifests',
    rootWith('', '  externalCloudProvider: {manifests: §["https://a.example/x"]}\n'),
  ],
  [
    'a manifest without a name',
    'text.empty',
    'cluster.inlineManifests[0].name',
    rootWith('', '  inlineManifests: [{name: §"", contents: "{apiVersion: v1, kind: Namespace}"}]\n'),
  ],
  [
    'a manifest twice',
    'list.duplicate',
    'cluster.inlineManifests[1].name',
    rootWith(
      '',
      '  inlineManifests: [{name: a, contents: "{apiVersion: v1, kind: Namespace}"}, {name: §a, contents: "{apiVersion: v1, kind: Namespace}"}]\n',
    ),
  ],
  [
    'a discovery service with a path',
    'url.path',
    'cluster.discovery.registries.service.endpoint',
    rootWith('', '  discovery: {enabled: true, registries: {service: {endpoint: §"https://a.example/x"}}}\n'),
  ],
  [
    'discovery without an identity',
    'discovery.identity',
    'cluster.discovery',
    rootWith('', '  discovery: §{registries: {service: {endpoint: "https://a.example"}}}\n'),
  ],
  ['a secret of a few bytes', 'cluster.secret', 'cluster.secret', rootWith('', '  secret: §YWJj\n')],
  [
    'a network of members that is none',
    'kvstore.subnet',
    'cluster.kvstore.listenSubnets[0]',
    rootWith('', `  kvstore: {ca: {crt: ${crt}, key: ${key}}, listenSubnets: [§10.0.0.0]}\n`),
  ],
  [
    'the older and the newer networks of members',
    'kvstore.subnet',
    'cluster.kvstore.subnet',
    rootWith(
      '',
      `  kvstore: {ca: {crt: ${crt}, key: ${key}}, subnet: §10.0.0.0/8, advertisedSubnets: [10.0.0.0/8]}\n`,
    ),
  ],
  [
    'a flag of the API that has a document',
    'api_server.argument',
    'cluster.apiServer.extraArgs.oidc-issuer-url',
    rootWith('', '  apiServer: {extraArgs: {oidc-issuer-url: §"https://a"}}\n'),
  ],
  [
    'a setting of the kubelet that the node makes',
    'kubelet.owned',
    'machine.kubelet.extraConfig.port',
    rootWith('  kubelet: {extraConfig: {port: §1}}\n'),
  ],
  [
    'a part that no runtime specification has',
    'cri_spec.part',
    'machine.baseRuntimeSpecOverrides.procss',
    rootWith('  baseRuntimeSpecOverrides: {procss: §{}}\n'),
  ],
  [
    'a variable that would change the node',
    'environment.reserved',
    'machine.env.?',
    rootWith('  env: {§PATH: /x}\n'),
  ],
];

for (const [what, code, path, marked] of refused)
  test(`the root does not take ${what}`, (t) => {
    const { text, line, column } = unmark(marked);
    t.deepEqual(
      problemsOf(text).map((one) => [one.code, one.path, one.document, one.line, one.column]),
      [[code, path, 'machine', line, column]],
    );
  });

const warned: readonly Case[] = [
  ['join', 'machine.type_spelling', 'machine.type', rootWith('', '', '§join')],
  ['init', 'machine.type_init', 'machine.type', rootWith('', '', '§init')],
  [
    'the older word for networks of members',
    'kvstore.subnet_old',
    'cluster.kvstore.subnet',
    rootWith('', `  kvstore: {ca: {crt: ${crt}, key: ${key}}, subnet: §10.0.0.0/8}\n`),
  ],
  ['cidr', 'interface.cidr', 'machine.network.interfaces[0].cidr', link('cidr: §10.0.0.1/24')],
  ['files', 'kind.no_effect', 'machine.files', rootWith('  files: §[{content: a, path: /var/a}]\n')],
  ['disks', 'kind.no_effect', 'machine.disks', rootWith('  disks: §[{device: /dev/sdb}]\n')],
  [
    'extensions of an image',
    'install.extensions',
    'machine.install.extensions',
    rootWith('  install: {disk: /dev/sda, extensions: §[{image: "a.example/x:1"}]}\n'),
  ],
  [
    'arguments of the kernel',
    'install.kernel_arguments',
    'machine.install.extraKernelArgs',
    rootWith('  install: {disk: /dev/sda, extraKernelArgs: §[a=b]}\n'),
  ],
  [
    'an installer of the registry that is gone',
    'install.image_registry',
    'machine.install.image',
    rootWith('  install: {disk: /dev/sda, image: §"ghcr.io/somebody/installer:v1.10.0"}\n'),
  ],
  [
    'a custom CNI without URLs',
    'cni.urls',
    'cluster.network.cni.name',
    rootWith('', '  network: {cni: {name: §custom}}\n'),
  ],
  [
    'roles that are switched off',
    'kind.no_effect',
    'machine.features.rbac',
    rootWith('  features: {rbac: §false}\n'),
  ],
];

for (const [what, code, path, marked] of warned)
  test(`the root warns of ${what}`, (t) => {
    const { text, line, column } = unmark(marked);
    const found = warningsOf(text).filter((one) => one.code === code && one.path === path);
    t.deepEqual(
      found.map((one) => [one.line, one.column]),
      [[line, column]],
      JSON.stringify(warningsOf(text)),
    );
  });
