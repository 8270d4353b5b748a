import { caCertificate, caKey } from '../fixtures/authority.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const crt = base64(caCertificate);
const key = base64(caKey);
const pem = caCertificate.trimEnd().replaceAll('\n', '\n  ');

/** Valid documents of the ten first kinds and the root document, with every field at least once; mutations begin here. */
export const sources: readonly string[] = [
  `version: v1alpha1
machine:
  type: controlplane
  token: abc
  ca: {crt: ${crt}, key: ${key}}
  acceptedCAs: [{crt: ${crt}}]
  certSANs: [node.example, 10.0.0.1]
cluster:
  id: home
  secret: ${Buffer.alloc(32, 7).toString('base64')}
  clusterName: home
  controlPlane: {endpoint: "https://10.0.0.1:6443"}
  kvstore:
    ca: {crt: ${crt}, key: ${key}}
    program: /usr/bin/etcd
    endpoints: ["https://10.0.0.2:2379"]
    advertisedSubnets: [10.0.0.0/8, "!10.9.0.0/16"]
    listenSubnets: ["fd00::/8"]
    extraArgs: {max-txn-ops: "512"}
    snapshots: {interval: 6h, keep: 3, rehearse: 24h}
    defragmentation: {interval: 24h}
`,
  `apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
volumeType: partition
provisioning:
  diskSelector: {match: 'disk.transport == "nvme" && !system_disk'}
  erase: [eui.1, S2]
  grow: true
  minSize: 1GiB
  maxSize: 80%
filesystem: {type: xfs, projectQuotaSupport: true, xfs: {minAllocationGroupSize: 1GiB}}
encryption:
  provider: luks2
  cipher: aes-xts-plain64
  keySize: 512
  blockSize: 4096
  options: [no_read_workqueue, same_cpu_crypt]
  allowDiscards: true
  keys:
    - {slot: 0, nodeID: {}, lockToState: true}
    - slot: 1
      static:
        passphrase: abc
    - {slot: 2, kms: {endpoint: "grpcs://kms.example:4050"}}
    - slot: 3
      tpm: {options: {pcrs: [7, 11]}, checkSecurebootStatusOnEnroll: true}
mount: {secure: true, disableAccessTime: false}
trim: {enabled: true, interval: 24h}
`,
  `apiVersion: v1alpha1
kind: UserVolumeConfig
name: whole
volumeType: disk
provisioning: {diskSelector: {match: 'disk.size > 0'}}
---
apiVersion: v1alpha1
kind: UserVolumeConfig
name: place
volumeType: directory
mount: {secure: false}
---
apiVersion: v1alpha1
kind: FilesystemTrimConfig
interval: 168h
`,
  `apiVersion: v1alpha1
kind: VolumeConfig
name: STATE
encryption: {provider: luks2, allowStaticState: true, keys: [{slot: 0, static: {passphrase: abc}}, {slot: 1, tpm: {}}]}
---
apiVersion: v1alpha1
kind: VolumeConfig
name: EPHEMERAL
provisioning: {minSize: 4GiB, maxSize: 100GiB, grow: false}
filesystem: {xfs: {minAllocationGroupSize: 0}}
mount: {secure: true}
encryption: {provider: luks2, keys: [{nodeID: {}, lockToState: true}]}
---
apiVersion: v1alpha1
kind: VolumeConfig
name: ETCD
provisioning: {diskSelector: {match: disk.rotational}, minSize: 4GiB}
---
apiVersion: v1alpha1
kind: VolumeConfig
name: IMAGECACHE
provisioning: {maxSize: 2GiB}
`,
  `apiVersion: v1alpha1
kind: RawVolumeConfig
name: raw
provisioning: {diskSelector: {match: 'disk.size > 0'}, minSize: 1GiB, maxSize: 2GiB, blank: discard}
---
apiVersion: v1alpha1
kind: SwapVolumeConfig
name: swap
provisioning: {diskSelector: {match: 'disk.size > 0'}, maxSize: 2GiB}
encryption: {provider: luks2, keys: [{slot: 0, nodeID: {}}]}
`,
  `apiVersion: v1alpha1
kind: ExistingVolumeConfig
name: old
discovery: {volumeSelector: {match: 'volume.partition_label == "old"'}}
mount: {readOnly: true, secure: false, disableAccessTime: true}
trim: {enabled: false}
---
apiVersion: v1alpha1
kind: ExternalVolumeConfig
name: shared
filesystemType: virtiofs
mount:
  virtiofs: {tag: data}
  readOnly: true
`,
  `apiVersion: v1alpha1
kind: OOMConfig
name: batch
trigger: {resource: memory, kind: full, stall: 100ms, window: 1s, cgroup: /kubepods}
triggerExpression: 'd_memory_full_total > 0.0'
cgroupRankingExpression: |
  double(memory_current.orValue(0u))
strictCgroupClassOrdering: false
sampleInterval: 250ms
cgroups:
  - {match: /batch/*, class: Burstable}
protectedClasses: [System]
action: memory.high
size: 70%
release: {after: 5s, atLatest: 5m}
dryRun: true
`,
  `apiVersion: v1alpha1
kind: TrustedRootsConfig
name: own
certificates: |
  # ours
  ${pem}
---
apiVersion: v1alpha1
kind: LinkAgentConfig
apiUrl: https://fleet.example:443/?jointoken=abc
`,
];
