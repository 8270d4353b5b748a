import { isMap, isScalar, type Node } from 'yaml';

import { type Move, type Part } from '../move.ts';
import {
  fieldsOfNode,
  isTrue,
  itemsOf,
  mapping,
  part,
  picked,
  sequence,
  textOfNode,
  word,
} from '../nodes.ts';
import { defaultImage } from './default-image.ts';
import { pem } from './pem.ts';

/** A field that is the field of a document under another name. */
function field(from: string, kind: string, to: string, more: Partial<Move> = {}): Move {
  return {
    from: [from],
    into: [kind],
    places: { [from]: to },
    parts: ({ at }) => {
      const value = at(from);
      return [part(kind, mapping(value, { [to]: value }))];
    },
    ...more,
  };
}

/** A document for each field of a mapping, by its name. */
function eachField(
  node: Node | undefined,
  make: (name: Node, value: Node) => readonly Part[],
): readonly Part[] {
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) =>
    isScalar(key) && value !== null ? make(word(String(key.value), key), value as Node) : [],
  );
}

const hostname: Move = {
  from: ['machine.network.hostname', 'machine.features.stableHostname'],
  into: ['HostnameConfig'],
  places: { 'machine.network.hostname': 'hostname', 'machine.features.stableHostname': 'auto' },
  parts: ({ at }) => {
    const [name, stable] = [at('machine.network.hostname'), at('machine.features.stableHostname')];
    // A name that is given counts before one that is made.
    const auto = stable === undefined || name !== undefined ? undefined : isTrue(stable) ? 'stable' : 'off';
    return [
      part('HostnameConfig', mapping(name ?? stable, { auto: auto && word(auto, stable), hostname: name })),
    ];
  },
};

const resolver: Move = {
  from: [
    'machine.network.nameservers',
    'machine.network.searchDomains',
    'machine.network.disableSearchDomain',
    'machine.features.hostDNS',
  ],
  into: ['ResolverConfig'],
  places: { 'machine.network.nameservers': 'nameservers', 'machine.features.hostDNS': 'hostDNS' },
  parts: ({ at }) => {
    const servers = at('machine.network.nameservers');
    const domains = at('machine.network.searchDomains');
    const disable = at('machine.network.disableSearchDomain');
    const hostDNS = at('machine.features.hostDNS');
    const search = domains ?? disable;
    return [
      part(
        'ResolverConfig',
        mapping(servers ?? search ?? hostDNS, {
          nameservers:
            servers &&
            sequence(
              servers,
              itemsOf(servers).map((address) => mapping(address, { address })),
            ),
          searchDomains: search && mapping(search, { domains, disableDefault: disable }),
          hostDNS,
        }),
      ),
    ];
  },
};

const time: Move = {
  from: ['machine.time.disabled', 'machine.time.servers', 'machine.time.bootTimeout'],
  into: ['TimeSyncConfig'],
  places: { 'machine.time.bootTimeout': 'bootTimeout', 'machine.time.disabled': 'enabled' },
  parts: ({ at }) => {
    const [disabled, servers, bootTimeout] = [
      at('machine.time.disabled'),
      at('machine.time.servers'),
      at('machine.time.bootTimeout'),
    ];
    return [
      part(
        'TimeSyncConfig',
        mapping(disabled ?? servers ?? bootTimeout, {
          enabled: disabled && word(!isTrue(disabled), disabled),
          bootTimeout,
          ntp: itemsOf(servers).length === 0 ? undefined : mapping(servers, { servers }),
        }),
      ),
    ];
  },
};

const modules: Move = {
  from: ['machine.kernel.modules'],
  into: ['KernelModuleConfig'],
  merges: true,
  parts: ({ at }) =>
    itemsOf(at('machine.kernel.modules')).map((one) =>
      part('KernelModuleConfig', picked(one, { name: 'name', parameters: 'parameters' })),
    ),
};

const hosts: Move = {
  from: ['machine.network.extraHostEntries'],
  into: ['StaticHostConfig'],
  merges: true,
  parts: ({ at }) =>
    itemsOf(at('machine.network.extraHostEntries')).map((one) =>
      part('StaticHostConfig', picked(one, { ip: 'name', aliases: 'hostnames' })),
    ),
};

function encryption(from: string, name: string): Move {
  return {
    from: [from],
    into: ['VolumeConfig'],
    places: { [from]: 'encryption' },
    parts: ({ at }) => [part('VolumeConfig', mapping(at(from), { name, encryption: at(from) }))],
  };
}

const mirrors: Move = {
  from: ['machine.registries.mirrors'],
  into: ['RegistryMirrorConfig'],
  merges: true,
  parts: ({ at }) =>
    eachField(at('machine.registries.mirrors'), (name, value) => {
      const { endpoints, overridePath, skipFallback } = fieldsOfNode(value);
      const urls = itemsOf(endpoints).map((url) => mapping(url, { url, overridePath }));
      return [
        part(
          'RegistryMirrorConfig',
          mapping(value, {
            name,
            endpoints: urls.length === 0 ? undefined : sequence(endpoints, urls),
            skipFallback,
          }),
        ),
      ];
    }),
};

const registries: Move = {
  from: ['machine.registries.config'],
  into: ['RegistryTLSConfig', 'RegistryAuthConfig'],
  merges: true,
  parts: ({ at }) =>
    eachField(at('machine.registries.config'), (name, value) => {
      const { tls, auth } = fieldsOfNode(value);
      const { clientIdentity, ca, insecureSkipVerify } = fieldsOfNode(tls);
      const pair = fieldsOfNode(clientIdentity);
      return [
        ...(tls === undefined
          ? []
          : [
              part(
                'RegistryTLSConfig',
                mapping(tls, {
                  name,
                  clientIdentity:
                    clientIdentity &&
                    mapping(clientIdentity, { cert: pem(pair['crt']), key: pem(pair['key']) }),
                  ca: pem(ca),
                  insecureSkipVerify,
                }),
              ),
            ]),
        ...(auth === undefined
          ? []
          : [part('RegistryAuthConfig', mapping(auth, { name, ...fieldsOfNode(auth) }))]),
      ];
    }),
};

/** Fields of the kubelet that are of the node: the document of the node has them. */
const ofNode = ['nodeIP', 'registerWithFQDN', 'skipNodeRegistration'] as const;

const kubelet: Move = {
  from: ['machine.kubelet'],
  into: ['OrchKubeletConfig', 'OrchCredentialProviderConfig'],
  parts: ({ at }) => {
    const value = at('machine.kubelet');
    const { nodeIP: _ip, registerWithFQDN: _name, skipNodeRegistration: _skip, ...own } = fieldsOfNode(value);
    for (const name of ['extraMounts', 'disableManifestsDirectory'])
      if (own[name] !== undefined) return { why: `${name} has no place in a document` };
    const { image, extraConfig: config, credentialProviderConfig: configuration, ...same } = own;
    if (Object.keys(own).length === 0) return [];
    return [
      part(
        'OrchKubeletConfig',
        mapping(value, { image: image ?? defaultImage('kubelet', value), config, ...same }),
      ),
      ...(configuration === undefined
        ? []
        : [part('OrchCredentialProviderConfig', mapping(configuration, { configuration }))]),
    ];
  },
};

const role = 'node-role.kubernetes.io/control-plane';
const scheduling = ['cluster.allowSchedulingOnControlPlanes', 'cluster.allowSchedulingOnMasters'];

const node: Move = {
  from: [
    'machine.nodeLabels',
    'machine.nodeAnnotations',
    'machine.nodeTaints',
    ...ofNode.map((name) => `machine.kubelet.${name}`),
    ...scheduling,
  ],
  into: ['OrchNodeConfig'],
  parts: ({ at, isControlPlane }) => {
    const [labels, annotations, taints] = [
      'machine.nodeLabels',
      'machine.nodeAnnotations',
      'machine.nodeTaints',
    ].map(at);
    const isOpen = scheduling.some((path) => isTrue(at(path)));
    const from = node.from.map(at).find((one) => one !== undefined);
    return [
      part(
        'OrchNodeConfig',
        mapping(from, {
          labels: isControlPlane === true ? withField(labels, role, '', from) : labels,
          annotations,
          taints: isControlPlane === true && !isOpen ? withField(taints, role, 'NoSchedule', from) : taints,
          ...Object.fromEntries(ofNode.map((name) => [name, at(`machine.kubelet.${name}`)])),
        }),
      ),
    ];
  },
};

/** A mapping with one field more, unless it has it. */
function withField(map: Node | undefined, name: string, value: string, from: Node | undefined): Node {
  const whole = mapping(map ?? from, { [name]: value });
  if (!isMap(map)) return whole;
  const added = map.items.some(({ key }) => isScalar(key) && key.value === name) ? [] : whole.items;
  whole.items = [...map.items, ...added];
  return whole;
}

const pods: Move = {
  from: ['machine.pods'],
  into: ['OrchStaticPodConfig'],
  merges: true,
  parts: ({ at }) => {
    const all = itemsOf(at('machine.pods'));
    const names = all.map((pod) => fieldsOfNode(fieldsOfNode(pod)['metadata'])['name']);
    const missing = names.findIndex((name) => textOfNode(name) === undefined);
    if (missing >= 0) return { why: `the pod at ${missing} has no metadata.name` };
    return all.map((pod, index) => part('OrchStaticPodConfig', mapping(pod, { name: names[index], pod })));
  },
};

const access: Move = {
  from: ['machine.features.nodeAPIAccess'],
  into: ['OrchNodeAPIAccessConfig'],
  parts: ({ at }) => {
    const value = at('machine.features.nodeAPIAccess');
    const { enabled, allowedRoles, allowedNamespaces } = fieldsOfNode(value);
    return isTrue(enabled)
      ? [part('OrchNodeAPIAccessConfig', mapping(value, { allowedRoles, allowedNamespaces }))]
      : [];
  },
};

const balancer: Move = {
  from: ['machine.features.orchBalancer'],
  into: ['OrchBalancerConfig'],
  parts: ({ at }) => {
    const value = at('machine.features.orchBalancer');
    const { enabled, port } = fieldsOfNode(value);
    return isTrue(enabled) ? [part('OrchBalancerConfig', mapping(value, { port }))] : [];
  },
};

const imageCache: Move = {
  from: ['machine.features.imageCache'],
  into: ['ImageCacheConfig'],
  parts: ({ at }) => {
    const value = at('machine.features.imageCache');
    const { localEnabled } = fieldsOfNode(value);
    return [
      part('ImageCacheConfig', mapping(value, { local: mapping(value, { enabled: localEnabled ?? false }) })),
    ];
  },
};

const mesh: Move = {
  from: ['machine.network.mesh'],
  into: ['MeshConfig'],
  parts: ({ at }) => {
    const value = at('machine.network.mesh');
    return [part('MeshConfig', mapping(value, fieldsOfNode(value)))];
  },
};

/** Where fields of `machine` go, apart from interfaces and the installation. */
export const machineMoves: readonly Move[] = [
  hostname,
  resolver,
  time,
  mesh,
  hosts,
  field('machine.env', 'EnvironmentConfig', 'variables', { merges: true }),
  field('machine.sysctls', 'SysctlConfig', 'params', { merges: true }),
  field('machine.sysfs', 'SysfsConfig', 'params', { merges: true }),
  field('machine.udev.rules', 'UdevRulesConfig', 'rules'),
  field('machine.baseRuntimeSpecOverrides', 'CRIBaseRuntimeSpecConfig', 'overrides'),
  modules,
  mirrors,
  registries,
  encryption('machine.systemDiskEncryption.state', 'STATE'),
  encryption('machine.systemDiskEncryption.ephemeral', 'EPHEMERAL'),
  node,
  kubelet,
  pods,
  access,
  balancer,
  imageCache,
];
