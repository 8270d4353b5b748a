import { has } from './contract.ts';
import { one } from './document.ts';
import type { ConfigInput, MachineKind, Part } from './input.ts';
import { orchDocuments } from './orch-documents.ts';
import { rootDocument } from './root-document.ts';

/** The documents of a machine of a cluster, in the order in which they are written. */
export function clusterDocuments(kind: MachineKind, input: ConfigInput): readonly Part[] {
  const { contract } = input;
  return [
    rootDocument(kind, input),
    ...(has(contract, 'documents') ? [...discovery(input), ...install(input), ...settings(input)] : []),
    ...(has(contract, 'networkDocuments') ? [...mirrors(input), one('HostnameConfig', { auto: 'stable' })] : []),
    ...(has(contract, 'meshDocument') && input.withMesh ? [one('MeshConfig', { enabled: true })] : []),
    ...(has(contract, 'documents') && input.withoutOrch !== true ? orchDocuments(kind, input) : []),
  ];
}

function discovery({ discoveryEndpoint: endpoint, secrets: { cluster } }: ConfigInput): readonly Part[] {
  return [
    ...(endpoint === undefined ? [] : [one('DiscoveryServiceConfig', { name: 'default', endpoint })]),
    one('DiscoveryIdentityConfig', { clusterID: cluster.id, clusterSecret: cluster.secret }),
  ];
}

function install({ installDisk, installImage }: ConfigInput): readonly Part[] {
  if (installDisk === undefined) return [];
  return [
    one('UnattendedInstallConfig', {
      ...(installImage === undefined ? {} : { installer: { image: installImage } }),
      provisioning: { diskSelector: { match: `disk.dev_path == ${JSON.stringify(installDisk)}` }, wipe: false },
    }),
  ];
}

function settings({ withoutOrch = false }: ConfigInput): readonly Part[] {
  return [
    one('ResolverConfig', { hostDNS: { enabled: true, ...(withoutOrch ? {} : { forwardKubeDNSToHost: true }) } }),
    one('VolumeConfig', { name: 'EPHEMERAL', mount: { secure: true } }),
    // Nodes that were there before the document existed are not trimmed; new ones are, once a week.
    one('FilesystemTrimConfig', { interval: '168h0m0s' }),
    one('SecurityProfileConfig', { workloadIsolation: true }),
  ];
}

function mirrors({ registryMirrors }: ConfigInput): readonly Part[] {
  return registryMirrors
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, url]) => one('RegistryMirrorConfig', { name, endpoints: [{ url }] }));
}
