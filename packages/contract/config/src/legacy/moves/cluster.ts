import { type Node } from 'yaml';

import { type Move } from '../move.ts';
import {
  fieldsOfNode,
  isFalse,
  isTrue,
  itemsOf,
  mapping,
  nodes,
  part,
  picked,
  sequence,
  textOfNode,
  word,
} from '../nodes.ts';
import { pem } from './pem.ts';

const identity: Move = {
  from: ['cluster.id', 'cluster.secret'],
  into: ['DiscoveryIdentityConfig'],
  places: { 'cluster.id': 'clusterID', 'cluster.secret': 'clusterSecret' },
  quiet: true,
  parts: ({ at }) => {
    const [clusterID, clusterSecret] = [at('cluster.id'), at('cluster.secret')];
    return [
      part('DiscoveryIdentityConfig', mapping(clusterID ?? clusterSecret, { clusterID, clusterSecret })),
    ];
  },
};

const cluster: Move = {
  from: ['cluster.clusterName', 'cluster.controlPlane.endpoint'],
  into: ['OrchClusterConfig'],
  places: { 'cluster.clusterName': 'clusterName', 'cluster.controlPlane.endpoint': 'endpoint' },
  quiet: true,
  parts: ({ at }) => {
    const [clusterName, endpoint] = [at('cluster.clusterName'), at('cluster.controlPlane.endpoint')];
    return [part('OrchClusterConfig', mapping(clusterName ?? endpoint, { clusterName, endpoint }))];
  },
};

const discovery: Move = {
  from: ['cluster.discovery'],
  into: ['DiscoveryServiceConfig'],
  parts: ({ at }) => {
    const value = at('cluster.discovery');
    const { enabled, registries } = fieldsOfNode(value);
    const { orch, service } = fieldsOfNode(registries);
    const { disabled, endpoint } = fieldsOfNode(service);
    if (isFalse(enabled)) return [];
    if (isFalse(fieldsOfNode(orch)['disabled']))
      return { why: 'members are found in the orchestrator, which no document says' };
    if (isTrue(disabled)) return [];
    if (endpoint === undefined) return { why: 'names no endpoint, and there is none that is taken without' };
    return [part('DiscoveryServiceConfig', mapping(value, { name: 'default', endpoint }))];
  },
};

const network: Move = {
  from: ['cluster.network'],
  into: ['OrchNetworkConfig', 'OrchFlannelCNIConfig', 'OrchExternalManifestConfig'],
  parts: ({ at, isControlPlane }) => {
    const value = at('cluster.network');
    const { cni, dnsDomain, podSubnets, serviceSubnets } = fieldsOfNode(value);
    const { name, urls, flannel } = fieldsOfNode(cni);
    const kind = textOfNode(name) ?? 'flannel';
    return [
      part(
        'OrchNetworkConfig',
        mapping(value, {
          dnsDomain,
          podSubnets: podSubnets ?? sequence(value, ['10.244.0.0/16']),
          serviceSubnets: serviceSubnets ?? sequence(value, ['10.96.0.0/12']),
        }),
      ),
      ...(kind === 'flannel' && isControlPlane === true
        ? [part('OrchFlannelCNIConfig', mapping(flannel ?? value, fieldsOfNode(flannel)))]
        : []),
      ...itemsOf(urls).map((url, index) =>
        part('OrchExternalManifestConfig', mapping(url, { name: `custom-cni-${index + 1}`, url })),
      ),
    ];
  },
};

const authority: Move = {
  from: ['cluster.ca', 'cluster.acceptedCAs'],
  into: ['OrchAPIServerCAConfig'],
  parts: ({ at }) => {
    const [ca, accepted] = [at('cluster.ca'), at('cluster.acceptedCAs')];
    const own = fieldsOfNode(ca);
    const [cert, key] = [pem(own['crt']), pem(own['key'])];
    const others = itemsOf(accepted).map((item) => pem(fieldsOfNode(item)['crt']));
    const all = key === undefined ? [cert, ...others] : others;
    const present = all.filter((one) => one !== undefined);
    return [
      part(
        'OrchAPIServerCAConfig',
        mapping(ca ?? accepted, {
          issuingCA: key && mapping(ca, { cert, key }),
          acceptedCAs: present.length === 0 ? undefined : sequence(accepted ?? ca, present),
        }),
      ),
    ];
  },
};

const aggregator: Move = {
  from: ['cluster.aggregatorCA'],
  into: ['OrchAggregatorCAConfig'],
  only: 'controlplane',
  parts: ({ at }) => {
    const ca = at('cluster.aggregatorCA');
    const { crt, key } = fieldsOfNode(ca);
    return [
      part(
        'OrchAggregatorCAConfig',
        mapping(ca, { issuingCA: mapping(ca, { cert: pem(crt), key: pem(key) }) }),
      ),
    ];
  },
};

const serviceAccount: Move = {
  from: ['cluster.serviceAccount'],
  into: ['OrchServiceAccountConfig'],
  only: 'controlplane',
  parts: ({ at, of }) => {
    const value = at('cluster.serviceAccount');
    const issuerURL = at('cluster.controlPlane.endpoint') ?? of('OrchClusterConfig', 'endpoint');
    if (issuerURL === undefined)
      return { why: 'tokens name the endpoint of the cluster, which is not there' };
    const privateKey = pem(fieldsOfNode(value)['key']);
    return [
      part('OrchServiceAccountConfig', mapping(value, { issuer: mapping(value, { privateKey, issuerURL }) })),
    ];
  },
};

function provider(kind: string, name: string, secret: Node | undefined): readonly unknown[] {
  return secret === undefined ? [] : [{ [kind]: { keys: [{ name, secret }] } }];
}

const encryption: Move = {
  from: ['cluster.secretboxEncryptionSecret', 'cluster.aescbcEncryptionSecret'],
  into: ['OrchKvstoreEncryptionConfig'],
  only: 'controlplane',
  parts: ({ at }) => {
    const [secretbox, aescbc] = [
      at('cluster.secretboxEncryptionSecret'),
      at('cluster.aescbcEncryptionSecret'),
    ];
    const from = secretbox ?? aescbc;
    // The first one writes, all of them read. The names are part of what is stored.
    const config = {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      resources: [
        {
          resources: ['secrets'],
          providers: [
            ...provider('secretbox', 'key2', secretbox),
            ...provider('aescbc', 'key1', aescbc),
            { identity: {} },
          ],
        },
      ],
    };
    return [part('OrchKvstoreEncryptionConfig', mapping(from, { config: nodes(config, from) }))];
  },
};

const coreDns: Move = {
  from: ['cluster.coreDNS'],
  into: ['OrchCoreDNSConfig'],
  only: 'controlplane',
  parts: ({ at }) => {
    const value = at('cluster.coreDNS');
    const { disabled, image } = fieldsOfNode(value);
    return [
      part(
        'OrchCoreDNSConfig',
        mapping(value, { enabled: disabled && word(!isTrue(disabled), disabled), image }),
      ),
    ];
  },
};

const externalManifests: Move = {
  from: ['cluster.extraManifests', 'cluster.extraManifestHeaders'],
  into: ['OrchExternalManifestConfig'],
  merges: true,
  parts: ({ at }) => {
    const headers = at('cluster.extraManifestHeaders');
    return itemsOf(at('cluster.extraManifests')).map((url, index) =>
      part('OrchExternalManifestConfig', mapping(url, { name: `extra-${index + 1}`, url, headers })),
    );
  },
};

const inlineManifests: Move = {
  from: ['cluster.inlineManifests'],
  into: ['OrchInlineManifestConfig'],
  merges: true,
  parts: ({ at }) =>
    itemsOf(at('cluster.inlineManifests')).map((one) =>
      part('OrchInlineManifestConfig', picked(one, { name: 'name', contents: 'manifest' })),
    ),
};

/** Where fields of `cluster` go, apart from the programs of the control plane. */
export const clusterMoves: readonly Move[] = [
  identity,
  discovery,
  network,
  authority,
  aggregator,
  serviceAccount,
  encryption,
  coreDns,
  externalManifests,
  inlineManifests,
  cluster,
];
