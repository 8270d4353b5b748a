import { caCertificate, caKey, otherKey } from '../../fixtures/authority.ts';
import { exampleSigningKey } from '../../../src/kind/orchestrator/example-keys.ts';
import { tableOf } from '../table.ts';

const [cert, key, other] = [caCertificate, caKey, otherKey].map((pem) => JSON.stringify(pem)) as [
  string,
  string,
  string,
];

tableOf('OrchClusterConfig', {
  accepts: [
    'clusterName: a\nendpoint: https://a:6443\n',
    'clusterName: a\nendpoint: "https://[fd00::1]:6443"\n',
  ],
  refuses: [
    ['clusterName: §""\nendpoint: https://a\n', 'text.empty', 'clusterName'],
    ['clusterName: a\nendpoint: §http://a\n', 'url.invalid', 'endpoint'],
    ['clusterName: a\nendpoint: §https://a/path\n', 'url.path', 'endpoint'],
    ['clusterName: a\n', 'required', 'endpoint'],
  ],
});

const networks = (pods: string, services: string): string =>
  `podSubnets: [${pods}]\nserviceSubnets: [${services}]\n`;

tableOf('OrchNetworkConfig', {
  reads: [
    [
      networks('10.244.0.0/16', '10.96.0.0/12'),
      { dnsDomain: 'cluster.local', nodeCIDRMaskSizeIPv4: 24, nodeCIDRMaskSizeIPv6: 64 },
    ],
  ],
  accepts: [networks('10.244.0.0/16, "fc00:db8:10::/56"', '10.96.0.0/12, "fc00:db8:20::/112"')],
  refuses: [
    [networks('§10.244.0.1/16', '10.96.0.0/12'), 'prefix.host_bits', 'podSubnets[0]'],
    ['podSubnets: §[]\nserviceSubnets: [10.96.0.0/12]\n', 'list.short', 'podSubnets'],
    [
      'podSubnets: [10.244.0.0/16, "fc00:db8:10::/56"]\nserviceSubnets: §[10.96.0.0/12]\n',
      'orch_network.families',
      'serviceSubnets',
    ],
    [networks('§10.244.0.0/25', '10.96.0.0/12'), 'orch_network.pods', 'podSubnets[0]'],
    [networks('§10.0.0.0/7', '192.168.0.0/16'), 'orch_network.pods', 'podSubnets[0]'],
    [networks('10.244.0.0/16', '§10.0.0.0/11'), 'orch_network.services', 'serviceSubnets[0]'],
    [networks('10.96.0.0/16', '§10.96.0.0/16'), 'orch_network.overlap', 'serviceSubnets[0]'],
    [networks('10.244.0.0/16', '§10.96.0.0/29'), 'orch_network.small', 'serviceSubnets[0]'],
    [`${networks('10.244.0.0/16', '10.96.0.0/12')}dnsDomain: §"a b"\n`, 'domain.invalid', 'dnsDomain'],
  ],
});

tableOf('OrchNodeConfig', {
  reads: [
    [
      'labels: {example.com/rack: a1, empty: ""}\ntaints: {dedicated: "db:NoSchedule", drained: NoExecute}\n',
      {
        labels: new Map([
          ['example.com/rack', 'a1'],
          ['empty', ''],
        ]),
      },
    ],
  ],
  accepts: [
    'nodeIP: {validSubnets: ["!10.0.0.0/8", "fd00::/8"]}\nannotations: {a: "b\\nc"}\nregisterWithFQDN: true\n',
  ],
  refuses: [
    ['labels: {§-a: b}\n', 'label.name', 'labels.-a'],
    ['labels: {§a/b/c: b}\n', 'label.name', 'labels.a/b/c'],
    ['labels: {a: §"b c"}\n', 'label.value', 'labels.a'],
    ['taints: {a: §Never}\n', 'taint.effect', 'taints.a'],
    ['taints: {a: §"b c:NoExecute"}\n', 'label.value', 'taints.a'],
    ['nodeIP: {validSubnets: [§10.0.0.1/8]}\n', 'node_ip.subnet', 'nodeIP.validSubnets[0]'],
    [
      `annotations: §{${Array.from({ length: 5 }, (_, index) => `a${index}: ${'x'.repeat(60_000)}`).join(', ')}}\n`,
      'annotations.total',
      'annotations',
    ],
  ],
});

const image = 'image: registry.example/a:v1\n';

tableOf('OrchKubeletConfig', {
  reads: [
    [
      `${image}extraArgs: {v: "4", feature-gates: [A=true, B=false]}\n`,
      {
        extraArgs: new Map([
          ['v', ['4']],
          ['feature-gates', ['A=true', 'B=false']],
        ]),
      },
    ],
  ],
  accepts: [`${image}config: {maxPods: 110}\nclusterDNS: [10.96.0.10]\n`],
  refuses: [
    ['config: {}\n', 'required', 'image'],
    [`${image}config: {staticPodPath: §/x}\n`, 'kubelet.owned', 'config.staticPodPath'],
    [`${image}config: {seccompDefault: §true}\n`, 'kubelet.owned', 'config.seccompDefault'],
    [`${image}extraArgs: {§--v: "4"}\n`, 'argument.name', 'extraArgs.--v'],
    [`${image}extraArgs: {v: §{}}\n`, 'wrong_type', 'extraArgs.v'],
    [`${image}clusterDNS: [§dns]\n`, 'address.invalid', 'clusterDNS[0]'],
  ],
});

tableOf('OrchCredentialProviderConfig', {
  reads: [['configuration: {a: [1, "b", true]}\n', { configuration: { a: [1, 'b', true] } }]],
  refuses: [['configuration: §text\n', 'wrong_type', 'configuration']],
});

tableOf('OrchBalancerConfig', {
  reads: [['tlsServerName: api.example\n', { port: 7445, tlsServerName: 'api.example' }]],
  refuses: [['port: §0\n', 'number.range', 'port']],
});

tableOf('OrchAPIServerConfig', {
  reads: [[image, { apiPort: 6443, startupProbes: true }]],
  accepts: [
    `${image}resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: 1, memory: 1Gi}}\nenv: {A: b}\n`,
  ],
  refuses: [
    ['apiPort: 6443\n', 'required', 'image'],
    [`${image}extraArgs: {anonymous-auth: §"true"}\n`, 'api_server.argument', 'extraArgs.anonymous-auth'],
    [`${image}extraArgs: {oidc-client-id: §"a"}\n`, 'api_server.argument', 'extraArgs.oidc-client-id'],
    [
      `${image}extraArgs: {authorization-mode: §"a"}\n`,
      'api_server.argument',
      'extraArgs.authorization-mode',
    ],
    [`${image}resources: {requests: {§gpu: 1}}\n`, 'unknown_field', 'resources.requests.gpu'],
    [`${image}resources: {requests: {cpu: §lots}}\n`, 'quantity.invalid', 'resources.requests.cpu'],
    [
      `${image}resources: {requests: {memory: §2Gi}, limits: {memory: 1Gi}}\n`,
      'resources.order',
      'resources.requests.memory',
    ],
    [`${image}certExtraSANs: [§"a b"]\n`, 'host.invalid', 'certExtraSANs[0]'],
  ],
});

tableOf('OrchAPIServerCAConfig', {
  accepts: [`issuingCA: {cert: ${cert}, key: ${key}}\n`, `acceptedCAs: [${cert}]\n`],
  refuses: [
    ['', 'fields.at_least_one', ''],
    ['acceptedCAs: [§text]\n', 'certificate.invalid', 'acceptedCAs[0]'],
    [`issuingCA: {cert: ${cert}, key: §${other}}\n`, 'private_key.mismatch', 'issuingCA.key'],
  ],
});

tableOf('OrchAggregatorCAConfig', {
  accepts: [`issuingCA: {cert: ${cert}, key: ${key}}\n`],
  refuses: [[`acceptedCAs: [${cert}]\n`, 'required', 'issuingCA']],
});

tableOf('OrchAdmissionControlConfig', {
  accepts: ['name: PodSecurity\nconfiguration: {a: b}\n'],
  refuses: [['name: §a/b\n', 'name.characters', 'name']],
});

tableOf('OrchAuditPolicyConfig', {
  accepts: ['configuration: {rules: []}\n'],
  refuses: [['', 'required', 'configuration']],
});

tableOf('OrchAuthenticationConfig', {
  accepts: ['configuration: {jwt: []}\n'],
  refuses: [['configuration: §[]\n', 'wrong_type', 'configuration']],
});

tableOf('OrchAuthorizerConfig', {
  accepts: ['name: rbac\ntype: RBAC\n', 'name: hook\ntype: Webhook\nwebhook: {timeout: 3s}\n'],
  refuses: [
    ['name: hook\ntype: Webhook\n', 'required', 'webhook'],
    ['name: a\ntype: §ABAC\n', 'invalid_value', 'type'],
  ],
  warns: [['name: a\ntype: Node\nwebhook: §{}\n', 'authorizer.unused', 'webhook']],
});

for (const kind of ['OrchControllerManagerConfig', 'OrchSchedulerConfig'] as const)
  tableOf(kind, {
    reads: [[image, { enabled: true }]],
    accepts: ['enabled: false\n'],
    refuses: [['', 'required', 'image']],
  });

tableOf('OrchProxyConfig', {
  reads: [[image, { enabled: true, mode: 'nftables' }]],
  refuses: [[`${image}mode: §userspace\n`, 'invalid_value', 'mode']],
  warns: [
    [`${image}mode: §ipvs\n`, 'proxy.mode', 'mode'],
    [`${image}extraArgs: §{v: "4"}\n`, 'proxy.arguments', 'extraArgs'],
  ],
});

tableOf('OrchCoreDNSConfig', {
  reads: [['enabled: false\n', { enabled: false }]],
  refuses: [['image: §"a b"\n', 'image.reference', 'image']],
});

tableOf('OrchFlannelCNIConfig', {
  reads: [['networkPoliciesEnabled: true\n', { backendType: 'vxlan', backendPort: 4789 }]],
  refuses: [['backendPort: §65536\n', 'number.range', 'backendPort']],
});

tableOf('OrchServiceAccountConfig', {
  accepts: [`issuer:\n  issuerURL: https://a\n  privateKey: |\n${exampleSigningKey(4)}`],
  refuses: [
    [`issuer: {issuerURL: "https://a", privateKey: §${key}}\n`, 'private_key.invalid', 'issuer.privateKey'],
    ['issuer: §{issuerURL: "https://a"}\n', 'required', 'issuer.privateKey'],
  ],
});

tableOf('OrchKvstoreEncryptionConfig', {
  accepts: ['config: {resources: [{providers: [{secretbox: {keys: [{name: a, secret: b}]}}]}]}\n'],
  refuses: [['config: §{}\n', 'kvstore_encryption.empty', 'config']],
});

tableOf('OrchNodeAPIAccessConfig', {
  reads: [['allowedRoles: [os:reader]\nallowedNamespaces: [a]\n', { allowedRoles: ['os:reader'] }]],
  refuses: [
    ['allowedRoles: [§os:root]\n', 'invalid_value', 'allowedRoles[0]'],
    ['allowedNamespaces: [§A]\n', 'name.characters', 'allowedNamespaces[0]'],
  ],
});

tableOf('OrchExternalManifestConfig', {
  accepts: ['name: a\nurl: https://a/b.yaml\nheaders: {X-A: b}\n'],
  refuses: [
    ['name: §a.b\nurl: https://a\n', 'name.characters', 'name'],
    ['name: a\nurl: §file:///a\n', 'url.invalid', 'url'],
    ['name: a\nurl: https://a\nheaders: {§"a b": c}\n', 'header.name', 'headers.a b'],
  ],
});

const inline = 'name: a\nmanifest: |\n';

tableOf('OrchInlineManifestConfig', {
  accepts: [
    `${inline}  apiVersion: v1\n  kind: List\n  ---\n  # nothing\n  ---\n  apiVersion: v1\n  kind: List\n`,
  ],
  refuses: [
    [`${inline}  apiVersion: v1\n  kind: List\n  ---\n  §a: b\n`, 'manifest.kind', 'manifest'],
    [`${inline}  §text\n`, 'manifest.kind', 'manifest'],
    [`${inline}  a: §b: c\n`, 'manifest.yaml', 'manifest'],
  ],
});

tableOf('OrchStaticPodConfig', {
  accepts: ['name: a\npod: {kind: Pod}\n'],
  refuses: [['name: a\npod: §{}\n', 'static_pod.empty', 'pod']],
});
