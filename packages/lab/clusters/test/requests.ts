import { createHash } from 'node:crypto';
import { basename, join, relative } from 'node:path';

import {
  type ClusterFlags,
  type ClusterPlan,
  type ClusterRequest,
  type DevFlags,
  readRequest,
} from '../src/index.ts';

/** What `osctl cluster create vm --presets disk-image` means. */
export const usualFlags: ClusterFlags = {
  name: 'example',
  cidr: '10.5.0.0/24',
  controlplanes: '1',
  workers: '1',
  cpusControlplanes: '2.0',
  cpusWorkers: '1/2',
  memoryControlplanes: '2.0GiB',
  memoryWorkers: '768MiB',
  disks: ['virtio:10GiB', 'virtio:6GiB'],
  presets: ['disk-image'],
  schematicId: 'a'.repeat(64),
  osVersion: 'v1.14.0-alpha.0',
  imageFactoryUrl: 'http://127.0.0.1:8081',
};

/** Two machines that start from `boot.disk` in a directory, named after it; the same in every process. */
export function tinyRequest(home: string): ClusterRequest {
  const number = createHash('sha256').update(home).digest().readUInt8();
  return readRequest({
    ...usualFlags,
    name: basename(home).toLowerCase(),
    cidr: `10.${number}.${20 + (number % 200)}.0/24`,
    memoryControlplanes: '512MiB',
    memoryWorkers: '512MiB',
    disks: ['virtio:4MiB'],
    diskImagePath: relative(process.cwd(), join(home, 'boot.disk')), // as people type it
    withUefi: false,
    accelerator: 'tcg',
  });
}

/** The network namespace of a planned cluster. */
export function namespaceOf({ lan }: ClusterPlan): string {
  if (lan === undefined) throw new TypeError('it is on a network of its machine');
  return lan.namespace;
}

/** What `osctl cluster create dev` means, with disks that grow. */
export const devFlags: DevFlags = {
  withClusterDiscovery: true,
  withMesh: false,
  withBootloader: true,
  withBgp: false,
  withBgpClos: false,
  withLldp: false,
  withNfs: false,
  dnsDomain: 'cluster.local',
  lbproxyPort: '7445',
  cniBinPath: [],
  noMasqueradeCidrs: [],
  disableDhcpHostname: false,
  skipInjectingExtraCmdline: false,
  arch: 'amd64',
  airgapped: false,
  nameservers: [],
  diskPreallocate: false,
  withRedfish: false,
  withIpmi: false,
  extraUefiSearchPaths: [],
  useVip: false,
  initNodeAsEndpoint: false,
  registryMirror: [],
  registryInsecureSkipVerify: [],
  withDebug: false,
  withInitNode: false,
  skipKvstoreOrch: false,
  skipInjectingConfig: false,
  withApplyConfig: false,
  controlPlanePort: '6443',
  imageCachePort: '5000',
  name: 'example',
  cidr: [],
  ipv4: true,
  ipv6: false,
  controlplanes: '1',
  workers: '1',
  cpus: '2.0',
  cpusWorkers: '2.0',
  memory: '2.0GiB',
  memoryWorkers: '2.0GiB',
  disk: '6144',
  primaryDisks: '1',
  diskDriver: 'virtio',
  diskBlockSize: '512',
  extraDisks: '0',
  extraDisksSize: '5120',
  extraDisksDrivers: [],
  extraDisksSerials: [],
  extraDisksTags: [],
  extraDisksOnControlplanes: false,
  vmlinuzPath: '_out/vmlinuz-${ARCH}',
  initrdPath: '/boot/initramfs-${ARCH}.xz',
  mtu: '1500',
  numaNodes: '0',
  withIommu: false,
  badRtc: false,
  withTpm2: false,
  withUefi: true,
  osVersion: 'v1.14.0-alpha.0',
  withNetworkChaos: false,
  skipUnattendedInstallConfig: false,
  userVolumes: [],
  encryptState: false,
  encryptEphemeral: false,
  encryptUserVolumes: false,
  diskEncryptionKeyTypes: ['uuid'],
  withTpm12: false,
  configInjectionMethod: '',
  withJsonLogs: false,
  withUuidHostnames: false,
};
