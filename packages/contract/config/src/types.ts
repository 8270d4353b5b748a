import { type DiskEnvironment, type Selector, type VolumeEnvironment } from '@nodecore/selector';
import { type CgroupClass, type ClassRule } from '@nodecore/pressure-policy';
import { type Secret } from '@nodecore/sys/pure';

import { type RankingExpression } from './ranking-expression.ts';
import { type Size } from './size.ts';
import { type TriggerExpression } from './trigger-expression.ts';

export type Provisioning = {
  /** Absent on system volumes, where it means the system disk, and on directories. */
  readonly diskSelector?: Selector<DiskEnvironment>;
  /** Bytes, defaults applied; absent for whole disks. */
  readonly minSize?: bigint;
  /** Absent: all that is available. */
  readonly maxSize?: Size;
  readonly grow: boolean;
  /** Exact WWNs and serial numbers of disks whose content may be erased for the volume. */
  readonly erase?: readonly string[];
};

export type Filesystem = {
  readonly type: 'xfs' | 'ext4' | 'btrfs';
  readonly projectQuotaSupport: boolean;
  /** Bytes; absent: the default floor; 0: no floor. */
  readonly xfsMinAllocationGroupSize?: bigint;
};

export type MountOptions = {
  /** User volumes: nosuid, nodev, noexec. EPHEMERAL: nosuid, nodev. */
  readonly secure: boolean;
  readonly disableAccessTime: boolean;
};

/** Of a volume that was made elsewhere. */
export type ForeignMountOptions = MountOptions & { readonly readOnly: boolean };

/** What a volume says about its own trims. What it leaves out is as `FilesystemTrimConfig` says. */
export type TrimSettings = { readonly enabled?: boolean; readonly intervalMs?: number };

/** What a volume says about checks of its filesystem. What it leaves out is as `FilesystemScrubConfig` says. */
export type ScrubSettings = {
  readonly enabled?: boolean;
  /** From one check to the next. */
  readonly intervalMs?: number;
};

/** Blocks of a volume that mean the same in every kind of it. */
export type VolumeBlocks = {
  readonly encryption?: Encryption;
  readonly trim?: TrimSettings;
  readonly scrub?: ScrubSettings;
};

/** `FilesystemTrimConfig`: how often all volumes are trimmed; 0: not at all. */
export type FilesystemTrim = { readonly intervalMs: number };

/** What the kernel wakes a pressure policy for. */
export type PressureTriggerSettings = {
  readonly resource: 'memory' | 'io' | 'cpu';
  readonly kind: 'some' | 'full';
  /** Microseconds of stall within the window. */
  readonly stallUs: number;
  /** Microseconds, 500 000 to 10 000 000. */
  readonly windowUs: number;
  /** Path below the root; absent: the machine. */
  readonly cgroup?: string;
};

/** When that which can be undone is. */
export type PressureRelease = {
  /** Without pressure for so long. */
  readonly afterMs: number;
  /** Whatever the pressure is. */
  readonly atLatestMs: number;
};

/** What a pressure policy does to its victim. Sizes are never negative; a share is one of memory.current. */
export type PressureAction =
  | { readonly kind: 'kill' }
  | { readonly kind: 'freeze'; readonly release: PressureRelease }
  | { readonly kind: 'memory.reclaim'; readonly size: Size }
  | { readonly kind: 'memory.high'; readonly size: Size; readonly release: PressureRelease };

/** `OOMConfig`: who is acted on when a resource runs short, and how. */
export type PressurePolicy = {
  /** Its name, or `oom`. */
  readonly id: string;
  readonly trigger: PressureTriggerSettings;
  readonly triggerExpression: TriggerExpression;
  readonly ranking: RankingExpression;
  readonly strictClassOrdering: boolean;
  readonly sampleIntervalMs: number;
  /** Cgroups that can be chosen beside the usual ones. */
  readonly cgroups: readonly ClassRule[];
  readonly protectedClasses: readonly CgroupClass[];
  readonly action: PressureAction;
  readonly dryRun: boolean;
};

/** One way to unlock a volume. The passphrase belongs to the {@link Configuration} and dies with it. */
export type KeyEntry = {
  /** 0 to 31. */
  readonly slot: number;
  /** Needs the secret that lies on STATE as well. */
  readonly lockToState: boolean;
} & (
  | { readonly kind: 'static'; readonly passphrase: Secret; readonly inClear?: true }
  | { readonly kind: 'nodeID' }
  | { readonly kind: 'kms'; /** `grpcs://host:port`. */ readonly endpoint: string }
  | {
      readonly kind: 'tpm';
      /** Ascending, each once; empty: no PCR value is bound. */
      readonly pcrs: readonly number[];
      readonly checkSecurebootStatusOnEnroll: boolean;
    }
);

export type Cipher = 'aes-xts-plain64' | 'xchacha12,aes-adiantum-plain64' | 'xchacha20,aes-adiantum-plain64';
export type EncryptionOption = 'no_read_workqueue' | 'no_write_workqueue' | 'same_cpu_crypt';

export type Encryption = {
  readonly provider: 'luks2';
  /** Sorted by slot, never empty. */
  readonly keys: readonly KeyEntry[];
  readonly cipher: Cipher;
  readonly keySizeBits: number;
  /** Encryption sector in bytes; absent: libcryptsetup chooses. */
  readonly blockSize?: number;
  readonly options: readonly EncryptionOption[];
  readonly allowDiscards: boolean;
};

export type UserVolume = {
  readonly kind: 'user';
  readonly name: string;
  /** Volume id and partition label: `u-<name>`. */
  readonly id: string;
  readonly volumeType: 'partition' | 'disk' | 'directory';
  readonly provisioning: Provisioning;
  /** Absent: a directory, which lies on EPHEMERAL. */
  readonly filesystem?: Filesystem;
  readonly encryption?: Encryption;
  readonly mount: MountOptions;
  readonly trim?: TrimSettings;
  readonly scrub?: ScrubSettings;
};

/**
 * What is done to a raw volume before it is handed over: all of it is written with zeros; discarded, on devices that guarantee
 * zeros for that; or left as it is but for what could be taken for a filesystem.
 */
export type Blanking = 'zeroes' | 'discard' | 'none';

/** A partition that programs use as it is: never formatted, never mounted. */
export type RawVolume = {
  readonly kind: 'raw';
  readonly name: string;
  /** Volume id and partition label: `r-<name>`. */
  readonly id: string;
  readonly provisioning: Provisioning;
  readonly blank: Blanking;
  readonly encryption?: Encryption;
};

export type SwapVolume = {
  readonly kind: 'swap';
  readonly name: string;
  /** Volume id and partition label: `s-<name>`. */
  readonly id: string;
  readonly provisioning: Provisioning;
  readonly encryption?: Encryption;
};

export type BlockVolume = RawVolume | SwapVolume;

/** A disk or partition with a filesystem that somebody else has made: mounted, and never changed otherwise. */
export type ExistingVolume = {
  readonly kind: 'existing';
  readonly name: string;
  /** `e-<name>`. */
  readonly id: string;
  readonly selector: Selector<VolumeEnvironment>;
  readonly mount: ForeignMountOptions;
  readonly trim?: TrimSettings;
  readonly scrub?: ScrubSettings;
};

/** A directory that the host of a virtual machine shares. */
export type ExternalVolume = {
  readonly kind: 'external';
  readonly name: string;
  /** `x-<name>`. */
  readonly id: string;
  readonly filesystemType: 'virtiofs';
  /** Under which name the host shares it. */
  readonly tag: string;
  readonly mount: ForeignMountOptions;
  readonly trim?: TrimSettings;
};

/** Every volume document, told apart by `kind`. */
export type Volume = SystemVolume | UserVolume | RawVolume | SwapVolume | ExistingVolume | ExternalVolume;

export type SystemVolumeName =
  | 'STATE'
  | 'EPHEMERAL'
  | 'IMAGECACHE'
  | 'ETCD' // data of the key-value store
  | 'CRI'
  | 'KUBELET' // data of the orchestrator's agent
  | 'LOG';

export type SystemVolume = {
  readonly kind: 'system';
  readonly name: SystemVolumeName;
  /** Volume id and partition label; equals the name. */
  readonly id: SystemVolumeName;
  /** A directory lies on EPHEMERAL and is nobody's volume. */
  readonly volumeType: 'partition' | 'directory';
  readonly provisioning: Provisioning;
  readonly filesystem: Filesystem;
  readonly encryption?: Encryption;
  readonly mount: MountOptions;
  readonly trim?: TrimSettings;
  readonly scrub?: ScrubSettings;
};

/** The root document: what makes a machine a member of a cluster. Secrets belong to the {@link Configuration}. */
export type MachineRoot = {
  readonly type: 'controlplane' | 'worker';
  /** Type `init`: a control plane that begins the kvstore by itself, once. */
  readonly beginsKvstore: boolean;
  /** By it control planes know their workers. */
  readonly token?: Secret;
  /** Issues the certificates of nodes and vouches for their clients. PEM; `key` holds the bytes of a PEM text, and is of control planes alone. */
  readonly ca: { readonly crt: string; readonly key?: Secret };
  /** PEM. More authorities whose clients are accepted, so that two overlap during a rotation. */
  readonly acceptedCAs: readonly string[];
  readonly certSANs: readonly string[];
  /** Who gets what the kernel and the services say: `machine.logging.destinations`. */
  readonly logging: readonly LogDestination[];
  readonly cluster: {
    readonly id?: string;
    readonly secret?: Secret;
    /** Lets a machine join the orchestrator. */
    readonly token?: Secret;
    readonly clusterName?: string;
    /** `https://host:port` of the orchestrator. */
    readonly endpoint?: string;
    /** Absent: this machine is no member of the kvstore. */
    readonly kvstore?: Kvstore;
  };
};

/** A receiver of lines of JSON. */
export type LogDestination = {
  /** `tcp://host:port`, `udp://host:port`. */
  readonly endpoint: URL;
  /** Fields that each line has besides its own. */
  readonly extraTags: ReadonlyMap<string, string>;
};

/** How this machine is a member of the kvstore: `cluster.kvstore`. The key belongs to the {@link Configuration}. */
export type Kvstore = {
  /** Issues the certificates of members and their clients; as {@link MachineRoot}'s. */
  readonly ca: { readonly crt: string; readonly key: Secret };
  /** Absolute path of etcd; absent: `etcd` in the path. */
  readonly program?: string;
  /** Name of the user volume that holds the data; absent: EPHEMERAL. */
  readonly volume?: string;
  /** `https://host:port` of members that a node without data joins; empty: it waits to be bootstrapped. */
  readonly endpoints: readonly string[];
  /** Which of its addresses it advertises; empty: the first that is not loopback. */
  readonly advertisedSubnets: readonly Subnet[];
  /** On which of its addresses it listens; empty: all. */
  readonly listenSubnets: readonly Subnet[];
  /** Flags of etcd without their dashes. */
  readonly extraArgs: ReadonlyMap<string, string>;
  /** Absent: nobody takes snapshots but those who ask. */
  readonly snapshots?: KvstoreSnapshots;
  /** Absent: nobody defragments but those who ask. */
  readonly defragmentation?: KvstoreDefragmentation;
};

/** Defragmentations of its own member that the node does when they pay: `cluster.kvstore.defragmentation`. */
export type KvstoreDefragmentation = { readonly intervalMs: number };

/** Snapshots that the node takes of its own member: `cluster.kvstore.snapshots`. */
export type KvstoreSnapshots = {
  readonly intervalMs: number;
  /** So many are kept, the newest. */
  readonly keep: number;
  /** Name of the user volume that holds them; absent: they are beside the data. */
  readonly volume?: string;
  /** How often one is proven restorable; absent: never. */
  readonly rehearseMs?: number;
};

/** `10.0.0.0/8`; excluded with `!` before it. */
export type Subnet = {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
  readonly excluded: boolean;
};

/** A document as the text has it, for listing. */
export type Document = {
  /** `UserVolumeConfig`, …, or `machine` for the root document. */
  readonly kind: string;
  readonly name?: string;
  /** `kind/name`. */
  readonly identity: string;
  /** Where it begins; counted from 1. */
  readonly line: number;
  readonly column: number;
};
