import type {
  BlankOptions,
  ConstructionMark,
  ConstructionOptions,
  Emptiness,
  EmptinessReceipt,
  FilesystemCheck,
  MeantDisk,
  Mount,
  Partition,
  PartitionTable,
  ProbeResult,
  WipeContentOptions,
} from '@nodecore/block';
import type { KeyAttempt, KeyContext, KeyslotStore } from '@nodecore/keys';
import type { ActiveMapping, FormatOptions, OpenOptions, PersistentFlag } from '@nodecore/luks';

import type { FilesystemType, MountFlags } from './spec.ts';

export type NewTable = MeantDisk & {
  /** Takes the proof that it rests on. */
  readonly onProof?: (receipt: EmptinessReceipt) => void;
};

/** A header whose first key has 256 random bits, or may be guessed. */
export type NewLuks = Omit<FormatOptions, 'pbkdf'> & { readonly isRandom: boolean };

export type NewPartition = MeantDisk & {
  readonly label: string;
  readonly typeGuid: string;
  readonly partitionGuid: string;
  readonly sizeBytes: bigint | 'rest';
  readonly underConstruction: boolean;
  readonly mark: ConstructionMark;
};

export type NewFilesystem = {
  readonly type: FilesystemType;
  readonly label: string;
  readonly uuid: string;
  readonly rotational: boolean;
  readonly xfsMinAllocationGroupSize?: bigint;
  readonly signal: AbortSignal;
};

/** A filesystem that is to be mounted. */
export type CheckedFilesystem = {
  readonly type: 'xfs' | 'ext4';
  /** The kernel has refused to mount it. */
  readonly refused: boolean;
  readonly onProgress: (progress: string) => void;
  readonly signal: AbortSignal;
};

export type GrowingFilesystem = {
  readonly type: Exclude<FilesystemType, 'swap'>;
  readonly target: string;
  readonly signal: AbortSignal;
};

export type NewMount = {
  readonly source: string;
  readonly target: string;
  /** As the kernel names it. */
  readonly type: string;
  readonly flags: MountFlags;
  /** Permission bits of the filesystem's root; absent: left alone. */
  readonly mode?: number;
  readonly projectQuotaSupport: boolean;
};

/** A directory that becomes a mount of its own. */
export type NewBind = Pick<NewMount, 'target' | 'flags' | 'mode'>;

export type Waiting = { readonly signal?: AbortSignal };
/** What is known of a volume whose header is to be put back. */
export type BackupOptions = Waiting & { readonly expectUuid?: string };
export type RestoreOptions = BackupOptions & {
  /** Must open the backup before anything is written. */
  readonly key?: Pick<KeyAttempt, 'slot' | 'key'>;
};

/** The keyslots and tokens of a header backup, to try keys on until it is disposed. */
export type OpenedBackup = AsyncDisposable & {
  readonly keyslots: Pick<KeyslotStore, 'read' | 'test'>;
};

/**
 * Everything that the volume life cycle asks of a machine. Nothing here changes it. What reads a device throws
 * `ERR_BLOCK_UNRESPONSIVE` when it hangs, and until it answers; what other work costs is not counted.
 */
export interface Observations {
  /** Undefined: no table at all. Throws for a table that is not GPT, or damaged. */
  readTable(disk: string): Promise<PartitionTable | undefined>;
  /** @param options.wiped it was wiped before: old data between its ends does not count. */
  emptiness(path: string, options?: { readonly wiped?: boolean }): Promise<Emptiness>;
  /** Throws `ERR_BLOCK_BUSY` for a device in use, `ERR_BLOCK_NOT_FOUND` when it is another one. */
  requireUnused(path: string, options: MeantDisk): Promise<void>;
  probe(path: string): Promise<ProbeResult>;
  /** Whether a device carries the mark of an attempt to make something on it. */
  isMarked(path: string, mark: ConstructionMark): Promise<boolean>;
  mapping(name: string): Promise<ActiveMapping | undefined>;
  mounts(): Promise<readonly Mount[]>;
  /** The path of something that a mount on a directory would hide. */
  hiddenData(directory: string): Promise<string | undefined>;
  /** The same, of what outlives the boot: neither in memory, nor part of a read-only image. */
  hiddenLastingData(directory: string): Promise<string | undefined>;
  /** By which mandatory access control the kernel enforces labels of files; undefined: by none. */
  enforcedAccessControl(): Promise<string | undefined>;
  /** What the running system lacks for a filesystem; undefined: nothing. */
  missingForFilesystem(type: FilesystemType): Promise<string | undefined>;
  /** Devices that are in use as swap space. */
  swaps(): Promise<readonly string[]>;
  /** `major:minor` of a block device; undefined when there is none of this name. */
  deviceNumber(path: string): Promise<string | undefined>;
  /** Bytes of a block device, as the kernel has it now; undefined when there is none of this name. */
  deviceSize(path: string): Promise<bigint | undefined>;
}

/** Everything that it changes. Each call either happens as a whole, or leaves what a power cut would leave. */
export interface Changes {
  createTable(disk: string, options: NewTable): Promise<void>;
  addPartition(disk: string, options: NewPartition): Promise<Partition>;
  setUnderConstruction(disk: string, partitionGuid: string, value: boolean): Promise<void>;
  /** Puts the mark of an attempt on a device that is proven empty right before. */
  beginMaking(path: string, options: ConstructionOptions): Promise<void>;
  /** Makes a device blank that carries the mark, which stays on it. */
  restartMaking(path: string, options: ConstructionOptions): Promise<void>;
  /** Takes the mark away. */
  endMaking(path: string, options: ConstructionOptions): Promise<void>;
  /** Zeroes both ends of a mapping that was just made. */
  wipeMapping(path: string): Promise<void>;
  /** Makes a device blank that is not in use, whatever is on it. */
  wipeContent(path: string, options: WipeContentOptions): Promise<void>;
  /** Makes all of a device read as zeros. */
  blank(path: string, options: BlankOptions): Promise<void>;
  /** Takes an entry out of the table; no other is renumbered. */
  removePartition(disk: string, partitionGuid: string): Promise<void>;
  /**
   * Tells the kernel about a partition of the table that it does not know, or has smaller; the table stays as it is. One that
   * is about to be removed is refused in a table that can't be changed.
   */
  announce(disk: string, partitionGuid: string, options?: { readonly toRemove: boolean }): Promise<void>;
  formatLuks(path: string, options: NewLuks): Promise<void>;
  /** @returns the slot that opened it. */
  openLuks(path: string, options: OpenOptions): Promise<number>;
  closeLuks(name: string): Promise<void>;
  /** Puts a header back, when it is one and has this UUID. @returns the UUID that it has. */
  restoreHeader(path: string, bytes: Uint8Array, options: RestoreOptions): Promise<string>;
  /** Makes the header keep exactly these options; no write when it does already. */
  keepFlags(path: string, flags: readonly PersistentFlag[]): Promise<void>;
  makeFilesystem(path: string, options: NewFilesystem): Promise<void>;
  /** Checks and repairs where that is needed and loses nothing. Undefined: it was not needed. */
  checkFilesystem(path: string, options: CheckedFilesystem): Promise<FilesystemCheck | undefined>;
  mount(options: NewMount): Promise<void>;
  bindDirectory(options: NewBind): Promise<void>;
  swapOn(path: string): Promise<void>;
  swapOff(path: string): Promise<void>;
  /** Gives a live mount other flags. */
  changeMount(target: string, flags: MountFlags): Promise<void>;
  unmount(target: string): Promise<void>;
  /** Moves the end of a partition that may be in use; what is in it stays as it is. */
  growPartition(disk: string, partitionGuid: string, sizeBytes: bigint): Promise<Partition>;
  /** Lets an open mapping have all of the device below. */
  growMapping(name: string): Promise<void>;
  /** Lets a mounted filesystem have all of its device. */
  growFilesystem(path: string, options: GrowingFilesystem): Promise<void>;
}

/** The seam between the life cycle and the machine: the default one asks block, luks and keys. */
export interface Effects extends Observations, Changes {
  /** The header with its keyslots; it opens the volume with any key that it has. */
  backupHeader(path: string, options: Waiting): Promise<Uint8Array>;
  /** A backup that `restoreHeader` would take; nothing is changed. */
  openBackup(path: string, bytes: Uint8Array, options: BackupOptions): Promise<OpenedBackup>;
  /** The keyslots and tokens of a header; each change of them happens whole or not at all. */
  keyslots(path: string): KeyslotStore;
  /** What the keys of a volume come from, as it is now. */
  keyContext(volumeId: string): Promise<KeyContext>;
}
