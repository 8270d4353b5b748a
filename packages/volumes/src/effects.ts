import type { Emptiness, Mount, Partition, PartitionTable, ProbeResult } from '@nodecore/block';
import type { KeyEntry } from '@nodecore/config';
import type { ActiveMapping, FormatOptions, Keyslot, OpenOptions, PersistentFlag } from '@nodecore/luks';
import type { Secret } from '@nodecore/sys';

import type { FilesystemType, MountFlags } from './spec.ts';

export type NewPartition = {
  readonly label: string;
  readonly typeGuid: string;
  readonly partitionGuid: string;
  readonly sizeBytes: bigint | 'rest';
  readonly underConstruction: boolean;
};

export type NewFilesystem = {
  readonly type: FilesystemType;
  readonly label: string;
  readonly rotational: boolean;
  readonly xfsMinAllocationGroupSize?: bigint;
  readonly signal: AbortSignal;
};

export type NewMount = {
  readonly source: string;
  readonly target: string;
  readonly type: FilesystemType;
  readonly flags: MountFlags;
  /** Permission bits of the filesystem's root. */
  readonly mode: number;
  readonly projectQuotaSupport: boolean;
};

export type NewKey = { readonly existing: Secret; readonly key: Secret; readonly slot: number };

/** Everything that the volume life cycle asks of a machine. Nothing here changes it. */
export interface Observations {
  /** Undefined: no table at all. Throws for a table that is not GPT, or damaged. */
  readTable(disk: string): Promise<PartitionTable | undefined>;
  emptiness(path: string): Promise<Emptiness>;
  probe(path: string): Promise<ProbeResult>;
  mapping(name: string): Promise<ActiveMapping | undefined>;
  keyslots(path: string): Promise<readonly Keyslot[]>;
  mounts(): Promise<readonly Mount[]>;
  /** `major:minor` of a block device; undefined when there is none of this name. */
  deviceNumber(path: string): Promise<string | undefined>;
}

/** Everything that it changes. Each call either happens as a whole, or leaves what a power cut would leave. */
export interface Changes {
  createTable(disk: string): Promise<void>;
  addPartition(disk: string, options: NewPartition): Promise<Partition>;
  setUnderConstruction(disk: string, partitionGuid: string, value: boolean): Promise<void>;
  wipe(path: string): Promise<void>;
  /** Tells the kernel about partitions of the table that it does not know; the table stays as it is. */
  announce(disk: string): Promise<void>;
  formatLuks(path: string, options: FormatOptions): Promise<void>;
  /** @returns the slot that opened it. */
  openLuks(path: string, options: OpenOptions): Promise<number>;
  closeLuks(name: string): Promise<void>;
  addKey(path: string, options: NewKey): Promise<void>;
  /** Makes the header keep exactly these options; no write when it does already. */
  keepFlags(path: string, flags: readonly PersistentFlag[]): Promise<void>;
  makeFilesystem(path: string, options: NewFilesystem): Promise<void>;
  mount(options: NewMount): Promise<void>;
  /** Gives a live mount other flags. */
  changeMount(target: string, flags: MountFlags): Promise<void>;
  unmount(target: string): Promise<void>;
}

/** The seam between the life cycle and the machine: the default one asks block, luks and keys. */
export interface Effects extends Observations, Changes {
  /** The key's bytes; the caller wipes them. Asked without holding anything that others wait for. */
  obtainKey(entry: KeyEntry, volumeId: string): Promise<Secret>;
}
