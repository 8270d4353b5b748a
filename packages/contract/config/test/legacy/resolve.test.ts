import { generateKeyPairSync } from 'node:crypto';

import test from 'ava';

import { migrate, parse, type Configuration, type Kind } from '@nodecore/config';
import { Secret } from '@nodecore/sys';
import { kinds } from '../../src/kind/kinds.ts';
import { moves } from '../../src/legacy/moves/all.ts';
import { caCertificate, caKey } from '../fixtures/authority.ts';
import { problemsOf } from '../fixtures/problems.ts';
import { crt, key, rootWith } from '../fixtures/root.ts';

type Pair = readonly [
  machine: string,
  cluster: string,
  documents: readonly (readonly [kind: string, fields: string])[],
];

const pem = (text: string, depth: number): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `${' '.repeat(depth)}${line}\n`)
    .join('');
const bytes = (letter: string): string => Buffer.from(letter.repeat(32)).toString('base64');
const image = (program: string): string => `image: registry.k8s.io/${program}:v1.35.0`;
const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;
const endpoint = 'https://10.0.0.1:6443';
const named = `  clusterName: home\n  controlPlane: {endpoint: "${endpoint}"}\n`;
const clusterDocument = ['OrchClusterConfig', `clusterName: home\nendpoint: ${endpoint}\n`] as const;
const role = 'node-role.kubernetes.io/control-plane';

/** Fields of the root, and the documents that say the same. */
const pairs: readonly Pair[] = [
  ['  network: {hostname: node-1.example}\n', '', [['HostnameConfig', 'hostname: node-1.example\n']]],
  ['  features: {stableHostname: true}\n', '', [['HostnameConfig', 'auto: stable\n']]],
  ['  features: {stableHostname: false}\n', '', [['HostnameConfig', 'auto: off\n']]],
  [
    '  network: {hostname: a}\n  features: {stableHostname: true}\n',
    '',
    [['HostnameConfig', 'hostname: a\n']],
  ],
  [
    '  network: {nameservers: [9.9.9.9, "fd00::1"], searchDomains: [a.example], disableSearchDomain: true}\n  features: {hostDNS: {enabled: true, forwardKubeDNSToHost: true}}\n',
    '',
    [
      [
        'ResolverConfig',
        'nameservers: [{address: 9.9.9.9}, {address: "fd00::1"}]\nsearchDomains: {domains: [a.example], disableDefault: true}\nhostDNS: {enabled: true, forwardKubeDNSToHost: true}\n',
      ],
    ],
  ],
  [
    '  time: {disabled: true, servers: [a.example], bootTimeout: 2m}\n',
    '',
    [['TimeSyncConfig', 'enabled: false\nntp: {servers: [a.example]}\nbootTimeout: 2m\n']],
  ],
  [
    '  sysctls: {vm.swappiness: 1}\n  sysfs: {kernel.mm.ksm.run: "1"}\n  env: {https_proxy: "http://a:b@c"}\n',
    '',
    [
      ['SysctlConfig', 'params: {vm.swappiness: 1}\n'],
      ['SysfsConfig', 'params: {kernel.mm.ksm.run: "1"}\n'],
      ['EnvironmentConfig', 'variables: {https_proxy: "http://a:b@c"}\n'],
    ],
  ],
  [
    `  udev: {rules: ['KERNEL=="vda", MODE="0640"']}\n  kernel: {modules: [{name: nbd, parameters: [nbds_max=2]}, {name: zram}]}\n`,
    '',
    [
      ['UdevRulesConfig', `rules: ['KERNEL=="vda", MODE="0640"']\n`],
      ['KernelModuleConfig', 'name: nbd\nparameters: [nbds_max=2]\n'],
      ['KernelModuleConfig', 'name: zram\n'],
    ],
  ],
  [
    '  network: {extraHostEntries: [{ip: 10.0.0.9, aliases: [a, b.example]}], mesh: {enabled: false, mtu: 1300}}\n',
    '',
    [
      ['MeshConfig', 'enabled: false\nmtu: 1300\n'],
      ['StaticHostConfig', 'name: 10.0.0.9\nhostnames: [a, b.example]\n'],
    ],
  ],
  [
    '  systemDiskEncryption:\n    state: {provider: luks2, keys: [{slot: 0, nodeID: {}}]}\n    ephemeral: {provider: luks2, keys: [{slot: 1, static: {passphrase: abc}}]}\n',
    '',
    [
      ['VolumeConfig', 'name: STATE\nencryption: {provider: luks2, keys: [{slot: 0, nodeID: {}}]}\n'],
      [
        'VolumeConfig',
        'name: EPHEMERAL\nencryption: {provider: luks2, keys: [{slot: 1, static: {passphrase: abc}}]}\n',
      ],
    ],
  ],
  [
    `  registries:\n    mirrors: {docker.io: {endpoints: ["https://m.example/v2/x"], overridePath: true, skipFallback: true}, "*": {endpoints: ["http://all.example"]}}\n    config: {r.example: {auth: {username: a, password: b}, tls: {ca: ${crt}, clientIdentity: {crt: ${crt}, key: ${key}}}}}\n`,
    '',
    [
      [
        'RegistryMirrorConfig',
        'name: docker.io\nendpoints: [{url: "https://m.example/v2/x", overridePath: true}]\nskipFallback: true\n',
      ],
      ['RegistryMirrorConfig', 'name: "*"\nendpoints: [{url: "http://all.example"}]\n'],
      [
        'RegistryTLSConfig',
        `name: r.example\nca: |\n${pem(caCertificate, 2)}clientIdentity:\n  cert: |\n${pem(caCertificate, 4)}  key: |\n${pem(caKey, 4)}`,
      ],
      ['RegistryAuthConfig', 'name: r.example\nusername: a\npassword: b\n'],
    ],
  ],
  [
    '  nodeLabels: {rack: a1}\n  nodeAnnotations: {a: b}\n  nodeTaints: {dedicated: "db:NoSchedule"}\n  kubelet: {image: "a.example/kubelet:v1", extraArgs: {v: "2"}, extraConfig: {maxPods: 9}, clusterDNS: [10.0.0.1], nodeIP: {validSubnets: [10.0.0.0/8]}, registerWithFQDN: true, skipNodeRegistration: false}\n',
    '',
    [
      [
        'OrchNodeConfig',
        `labels: {rack: a1, ${role}: ""}\nannotations: {a: b}\ntaints: {dedicated: "db:NoSchedule", ${role}: NoSchedule}\nnodeIP: {validSubnets: [10.0.0.0/8]}\nregisterWithFQDN: true\nskipNodeRegistration: false\n`,
      ],
      [
        'OrchKubeletConfig',
        'image: a.example/kubelet:v1\nextraArgs: {v: "2"}\nconfig: {maxPods: 9}\nclusterDNS: [10.0.0.1]\n',
      ],
    ],
  ],
  [
    '',
    '  allowSchedulingOnControlPlanes: false\n',
    [['OrchNodeConfig', `labels: {${role}: ""}\ntaints: {${role}: NoSchedule}\n`]],
  ],
  ['', '  allowSchedulingOnMasters: true\n', [['OrchNodeConfig', `labels: {${role}: ""}\n`]]],
  [
    '  kubelet: {credentialProviderConfig: {kind: CredentialProviderConfig}}\n',
    '',
    [
      ['OrchKubeletConfig', `${image('kubelet')}\n`],
      ['OrchCredentialProviderConfig', 'configuration: {kind: CredentialProviderConfig}\n'],
    ],
  ],
  [
    '  pods: [{apiVersion: v1, kind: Pod, metadata: {name: p}}]\n  baseRuntimeSpecOverrides: {process: {rlimits: []}}\n',
    '',
    [
      ['CRIBaseRuntimeSpecConfig', 'overrides: {process: {rlimits: []}}\n'],
      ['OrchStaticPodConfig', 'name: p\npod: {apiVersion: v1, kind: Pod, metadata: {name: p}}\n'],
    ],
  ],
  [
    '  features: {nodeAPIAccess: {enabled: true, allowedRoles: [os:reader], allowedNamespaces: [a]}, orchBalancer: {enabled: true, port: 7446}, imageCache: {localEnabled: true}}\n',
    '',
    [
      ['OrchNodeAPIAccessConfig', 'allowedRoles: [os:reader]\nallowedNamespaces: [a]\n'],
      ['OrchBalancerConfig', 'port: 7446\n'],
      ['ImageCacheConfig', 'local: {enabled: true}\n'],
    ],
  ],
  ['  features: {nodeAPIAccess: {enabled: false}, orchBalancer: {enabled: false}}\n', '', []],
  [
    `  network:
    interfaces:
      - interface: eth0
        addresses: [10.0.0.5/24]
        mtu: 1400
        routes: [{network: 0.0.0.0/0, gateway: 10.0.0.1, metric: 5}, {network: 10.9.0.0/16, gateway: 10.0.0.2}]
        dhcp: true
        dhcpOptions: {routeMetric: 9, ipv6: true, duidv6: 00:03:00:01}
        vip: {ip: 10.0.0.99}
        vlans: [{vlanId: 7, addresses: [10.1.0.5/24], vip: {ip: 10.1.0.99, hcloud: {apiToken: abc}}}]
      - {interface: b0, bond: {interfaces: [eth1, eth2], mode: active-backup, resendIgmp: 3, peerNotifyDelay: 100, miimon: 100, tlbDynamicLb: 1}}
      - {interface: br0, bridge: {interfaces: [eth3], stp: {enabled: true}, vlan: {vlanFiltering: true}}}
      - {interface: d0, dummy: true, cidr: 192.0.2.1/32}
      - {interface: wg0, wireguard: {privateKey: ${bytes('w')}, listenPort: 5, peers: [{publicKey: ${bytes('p')}, allowedIPs: [10.9.0.0/24]}]}}
`.replace(', tlbDynamicLb: 1', ''),
    '',
    [
      [
        'LinkConfig',
        'name: eth0\nmtu: 1400\naddresses: [{address: 10.0.0.5/24}]\nroutes: [{gateway: 10.0.0.1, metric: 5}, {destination: 10.9.0.0/16, gateway: 10.0.0.2}]\n',
      ],
      ['VLANConfig', 'name: eth0.7\nvlanID: 7\nparent: eth0\naddresses: [{address: 10.1.0.5/24}]\n'],
      ['DHCPv4Config', 'name: eth0\nrouteMetric: 9\n'],
      ['DHCPv6Config', 'name: eth0\nrouteMetric: 9\nclientIdentifier: duid\nduidRaw: 00:03:00:01\n'],
      ['Layer2VIPConfig', 'name: 10.0.0.99\nlink: eth0\n'],
      ['HCloudVIPConfig', 'name: 10.1.0.99\nlink: eth0.7\napiToken: abc\n'],
      [
        'BondConfig',
        'name: b0\nlinks: [eth1, eth2]\nbondMode: active-backup\nresendIGMP: 3\npeerNotifDelay: 100\nmiimon: 100\n',
      ],
      ['BridgeConfig', 'name: br0\nlinks: [eth3]\nstp: {enabled: true}\nvlan: {filtering: true}\n'],
      ['DummyLinkConfig', 'name: d0\naddresses: [{address: 192.0.2.1/32}]\n'],
      [
        'WireguardConfig',
        `name: wg0\nprivateKey: ${bytes('w')}\nlistenPort: 5\npeers: [{publicKey: ${bytes('p')}, allowedIPs: [10.9.0.0/24]}]\n`,
      ],
    ],
  ],
  [
    '  install: {disk: /dev/sda, image: "a.example/i:v1", wipe: true}\n',
    '',
    [
      [
        'UnattendedInstallConfig',
        `installer: {image: "a.example/i:v1"}\nprovisioning: {diskSelector: {match: 'disk.dev_path == "/dev/sda"'}, wipe: true}\n`,
      ],
    ],
  ],
  [
    '  install: {diskSelector: {size: ">= 1GiB", model: "WD*", type: ssd, serial: S1}}\n',
    '',
    [
      [
        'UnattendedInstallConfig',
        `provisioning: {diskSelector: {match: 'disk.size >= 1073741824u && glob("WD*", disk.model) && !disk.rotational && disk.serial == "S1"'}}\n`,
      ],
    ],
  ],
  [
    '',
    `${named}  id: ${bytes('i')}\n  secret: ${bytes('s')}\n  discovery: {enabled: true, registries: {service: {endpoint: "https://d.example"}}}\n`,
    [
      clusterDocument,
      ['DiscoveryIdentityConfig', `clusterID: ${bytes('i')}\nclusterSecret: ${bytes('s')}\n`],
      ['DiscoveryServiceConfig', 'name: default\nendpoint: https://d.example\n'],
    ],
  ],
  [
    '',
    '  network: {dnsDomain: a.example, podSubnets: [10.1.0.0/16], serviceSubnets: [10.2.0.0/16]}\n',
    [
      [
        'OrchNetworkConfig',
        'dnsDomain: a.example\npodSubnets: [10.1.0.0/16]\nserviceSubnets: [10.2.0.0/16]\n',
      ],
      ['OrchFlannelCNIConfig', '{}'],
    ],
  ],
  [
    '',
    '  network: {cni: {name: custom, urls: ["https://a.example/c"]}}\n',
    [
      ['OrchNetworkConfig', 'podSubnets: [10.244.0.0/16]\nserviceSubnets: [10.96.0.0/12]\n'],
      ['OrchExternalManifestConfig', 'name: custom-cni-1\nurl: https://a.example/c\n'],
    ],
  ],
  [
    '',
    `${named}  ca: {crt: ${crt}, key: ${key}}\n  acceptedCAs: [{crt: ${crt}}]\n  aggregatorCA: {crt: ${crt}, key: ${key}}\n`,
    [
      clusterDocument,
      [
        'OrchAPIServerCAConfig',
        `issuingCA:\n  cert: |\n${pem(caCertificate, 4)}  key: |\n${pem(caKey, 4)}acceptedCAs:\n  - |\n${pem(caCertificate, 4)}`,
      ],
      ['OrchAggregatorCAConfig', `issuingCA:\n  cert: |\n${pem(caCertificate, 4)}  key: |\n${pem(caKey, 4)}`],
    ],
  ],
  [
    '',
    `  secretboxEncryptionSecret: ${bytes('x')}\n  aescbcEncryptionSecret: ${bytes('y')}\n`,
    [
      [
        'OrchKvstoreEncryptionConfig',
        `config: {apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: [secrets], providers: [{secretbox: {keys: [{name: key2, secret: ${bytes('x')}}]}}, {aescbc: {keys: [{name: key1, secret: ${bytes('y')}}]}}, {identity: {}}]}]}\n`,
      ],
    ],
  ],
  [
    '  controlPlane: {controllerManager: {disabled: true}, scheduler: {disabled: false}}\n',
    `  controlPlane: {localAPIServerPort: 7443}
  apiServer: {image: "a.example/api:v1", certSANs: [api.example], extraArgs: {v: ["1", "2"]}, env: {A: b}, admissionControl: [{name: PodSecurity, configuration: {kind: P}}], auditPolicy: {kind: Policy}, authorizationConfig: [{type: Node, name: node}, {type: Webhook, name: hook, webhook: {timeout: 3s}}]}
  controllerManager: {extraArgs: {v: "1"}}
  scheduler: {config: {kind: K}}
  proxy: {disabled: true, mode: nftables}
  coreDNS: {disabled: true}
`,
    [
      [
        'OrchAPIServerConfig',
        'image: a.example/api:v1\ncertExtraSANs: [api.example]\nextraArgs: {v: ["1", "2"]}\nenv: {A: b}\napiPort: 7443\n',
      ],
      ['OrchAdmissionControlConfig', 'name: PodSecurity\nconfiguration: {kind: P}\n'],
      ['OrchAuditPolicyConfig', 'configuration: {kind: Policy}\n'],
      ['OrchAuthorizerConfig', 'name: node\ntype: Node\n'],
      ['OrchAuthorizerConfig', 'name: hook\ntype: Webhook\nwebhook: {timeout: 3s}\n'],
      [
        'OrchControllerManagerConfig',
        `enabled: false\n${image('kube-controller-manager')}\nextraArgs: {v: "1"}\n`,
      ],
      ['OrchSchedulerConfig', `${image('kube-scheduler')}\nconfig: {kind: K}\n`],
      ['OrchProxyConfig', `enabled: false\n${image('kube-proxy')}\nmode: nftables\n`],
      ['OrchCoreDNSConfig', 'enabled: false\n'],
    ],
  ],
  [
    '',
    `${named}  serviceAccount: {key: ${Buffer.from(signingKey).toString('base64')}}\n`,
    [
      clusterDocument,
      [
        'OrchServiceAccountConfig',
        `issuer:\n  issuerURL: ${endpoint}\n  privateKey: |\n${pem(signingKey, 4)}`,
      ],
    ],
  ],
  [
    '',
    '  extraManifests: ["https://a.example/m"]\n  extraManifestHeaders: {X-Token: abc}\n  inlineManifests: [{name: space, contents: "{apiVersion: v1, kind: Namespace}"}]\n',
    [
      ['OrchExternalManifestConfig', 'name: extra-1\nurl: https://a.example/m\nheaders: {X-Token: abc}\n'],
      ['OrchInlineManifestConfig', 'name: space\nmanifest: "{apiVersion: v1, kind: Namespace}"\n'],
    ],
  ],
];

/** Values as they can be compared: secrets by what they hold, expressions by their text. */
function comparable(value: unknown): unknown {
  if (value instanceof Secret) return `secret ${value.bytes.toString('latin1')}`;
  if (value instanceof URL) return value.href;
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, one]) => [String(name), comparable(one)] as const));
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? 'function' : value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]));
}

function valuesOf(configuration: Configuration): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...kinds.keys()].flatMap((kind) => {
      const all = configuration.all(kind as Kind).map(comparable);
      return all.length === 0 ? [] : [[kind, all]];
    }),
  );
}

const documentsOf = (documents: Pair[2]): string =>
  documents
    .map(([kind, fields]) => `---\napiVersion: v1alpha1\nkind: ${kind}\n${fields === '{}' ? '' : fields}`)
    .join('');

for (const [index, [machine, cluster, documents]] of pairs.entries())
  test(`fields of the root come to the values of their documents, and go there: ${index} ${documents.map(([kind]) => kind).join()}`, (t) => {
    using legacy = parse(rootWith(machine, cluster));
    using modern = parse(rootWith('') + documentsOf(documents));
    t.deepEqual(valuesOf(legacy), valuesOf(modern));
    const { text, left } = migrate(rootWith(machine, cluster));
    t.deepEqual(left, []);
    using migrated = parse(text);
    t.deepEqual(valuesOf(migrated), valuesOf(modern), text);
    t.deepEqual(
      migrated.warnings.filter(({ document }) => document === 'machine'),
      [],
      text,
    );
  });

test('every move has a case', (t) => {
  const all = pairs.map(([machine, cluster]) => rootWith(machine, cluster)).join('\n');
  for (const { from } of moves)
    for (const path of from) t.true(all.includes(`${path.split('.').at(-1)}:`), path);
});

const sysctls = (text: string): string =>
  `---\napiVersion: v1alpha1\nkind: SysctlConfig\nparams: {${text}}\n`;

test('where documents and the root add up, the document wins for each name, and both origins are known', (t) => {
  const text =
    rootWith('  sysctls:\n    vm.swappiness: 1\n    kernel.panic: 2\n') + sysctls('kernel.panic: 3');
  using configuration = parse(text);
  t.deepEqual(Object.fromEntries(configuration.effective('SysctlConfig')?.params ?? []), {
    'vm.swappiness': '1',
    'kernel.panic': '3',
  });
  t.deepEqual(configuration.origin('SysctlConfig', 'params', 'vm.swappiness'), {
    from: 'document',
    document: 'machine',
    line: 6,
    column: 20,
  });
  t.deepEqual(configuration.origin('SysctlConfig', 'params', 'kernel.panic'), {
    from: 'document',
    document: 'SysctlConfig',
    line: 11,
    column: 24,
  });
  t.deepEqual(configuration.origin('SysctlConfig', 'params', 'a.b'), { from: 'default' });
  const { text: migrated } = migrate(text);
  t.false(migrated.includes('sysctls'));
  t.regex(migrated, /params: \{ ?kernel\.panic: 3, vm\.swappiness: 1 ?\}/u);
});

test('a value that a field of the root turns into another has its origin there', (t) => {
  using configuration = parse(rootWith('  time:\n    disabled: true\n'));
  t.is(configuration.effective('TimeSyncConfig')?.enabled, false);
  const origin = { from: 'document', document: 'machine', line: 6, column: 15 } as const;
  t.deepEqual(configuration.origin('TimeSyncConfig', 'enabled'), origin);
});

const volume = (fields: string): string =>
  `---\napiVersion: v1alpha1\nkind: VolumeConfig\nname: STATE\n${fields}`;

test('a key of a volume in both forms is refused at the root, a volume document about something else is not', (t) => {
  const root = rootWith(
    '  systemDiskEncryption:\n    state: {provider: luks2, keys: [{slot: 0, nodeID: {}}]}\n',
  );
  const both = problemsOf(root + volume('encryption: {provider: luks2, keys: [{slot: 1, nodeID: {}}]}\n'));
  t.deepEqual(
    both.map(({ code, path, line, column }) => [code, path, line, column]),
    [['root.replaced', 'machine.systemDiskEncryption.state', 6, 12]],
  );
  const ephemeral =
    root.replace('state:', 'ephemeral:') +
    volume('').replace('STATE', 'EPHEMERAL') +
    'provisioning: {maxSize: 80%}\n';
  using configuration = parse(ephemeral);
  t.is(configuration.systemVolume('EPHEMERAL').encryption?.keys.length, 1);
  t.not(configuration.systemVolume('EPHEMERAL').provisioning.maxSize, undefined);
});

test('what no document says stays in the root, with the reason, and is warned of once', (t) => {
  const cases: readonly (readonly [path: string, why: RegExp, machine: string, cluster?: string])[] = [
    ['machine.kubelet', /extraMounts/u, '  kubelet: {extraMounts: [{destination: /a}]}\n'],
    [
      'machine.network.interfaces',
      /deviceSelector/u,
      '  network: {interfaces: [{deviceSelector: {driver: x}}]}\n',
    ],
    [
      'machine.network.interfaces',
      /left alone/u,
      '  network: {interfaces: [{interface: a, ignore: true}]}\n',
    ],
    [
      'machine.network.interfaces',
      /its bridge/u,
      '  network: {interfaces: [{interface: a, bridgePort: {master: b}}]}\n',
    ],
    [
      'machine.network.interfaces',
      /cloud/u,
      '  network: {interfaces: [{interface: a, vip: {ip: 10.0.0.9, equinixMetal: {apiToken: x}}}]}\n',
    ],
    ['machine.install', /extraKernelArgs/u, '  install: {disk: /dev/sda, extraKernelArgs: [a=b]}\n'],
    ['machine.install', /names no disk/u, '  install: {image: "a.example/x:1"}\n'],
    ['machine.pods', /metadata\.name/u, '  pods: [{kind: Pod}]\n'],
    ['cluster.discovery', /no endpoint/u, '', '  discovery: {enabled: true}\n'],
    ['cluster.serviceAccount', /endpoint of the cluster/u, '', `  serviceAccount: {key: ${key}}\n`],
    [
      'cluster.apiServer',
      /extraVolumes/u,
      '',
      '  apiServer: {extraVolumes: [{hostPath: /a, mountPath: /a}]}\n',
    ],
  ];
  for (const [path, why, machine, cluster = ''] of cases) {
    const text = rootWith(machine, cluster);
    const made = migrate(text);
    t.is(made.text, text, path);
    t.deepEqual(made.moved, [], path);
    t.is(made.left[0]?.from, path);
    t.regex(made.left[0]?.why ?? '', why);
    using configuration = parse(text);
    const found = configuration.warnings.filter((one) => one.path === path && one.code === 'kind.no_effect');
    t.is(found.length, 1, path);
    t.regex(found[0]?.message ?? '', why);
  }
});

test('programs of the control plane mean nothing on a worker: they are no documents there, and stay', (t) => {
  const text = rootWith('', '  proxy: {disabled: true}\n', 'worker');
  using configuration = parse(text);
  t.is(configuration.get('OrchProxyConfig'), undefined);
  t.deepEqual(migrate(text).left, [{ from: 'cluster.proxy', why: 'only a control plane has it' }]);
});

test('every comment of a large root is there after it was migrated', (t) => {
  const text = rootWith(
    '  # of names\n  network: # the network\n    # this one\n    hostname: a # so\n  # disks\n  time:\n    servers: # ours\n      # first\n      - a.example # near\n',
    '  # the proxy\n  proxy:\n    # off\n    disabled: true # for now\n',
  );
  const { text: migrated, left } = migrate(text);
  t.deepEqual(left, []);
  for (const comment of [
    'of names',
    'the network',
    'this one',
    'so',
    'disks',
    'ours',
    'first',
    'near',
    'the proxy',
    'off',
    'for now',
  ])
    t.true(migrated.includes(`# ${comment}`), `${comment}\n${migrated}`);
});
