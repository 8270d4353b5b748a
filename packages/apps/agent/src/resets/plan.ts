import { createHash } from 'node:crypto';

import type { DiscoveredVolume, Disk } from '@nodecore/block';
import { findSystemDisk, identityOf } from '@nodecore/volumes';

import { ResetError } from './errors.ts';
import { chooseDisks } from './plan-disks.ts';
import { encodeReset, type ResetRecord } from '../persistence/reset-record.ts';
import type { StorageFacts } from '../volumes/storage-facts.ts';

export type ResetMode = 'all' | 'system-disk' | 'user-disks';

export type ResetNames = {
  readonly mode: ResetMode;
  /** Labels of the system's partitions; none: all of them, and what META keeps. */
  readonly labels: readonly string[];
  /** Disks, as the kernel names them, with or without `/dev/`. */
  readonly userDisks: readonly string[];
};

/** One thing that will be wiped. */
export type ResetTarget = {
  /** The label, or the disk's name. */
  readonly name: string;
  /** `''` of META, whose values go and whose partition stays. */
  readonly devPath: string;
  readonly content: string;
  readonly sizeBytes: bigint;
};

export type ResetPlan = {
  readonly targets: readonly ResetTarget[];
  readonly record: ResetRecord;
  /** Volumes whose content goes. */
  readonly volumes: ReadonlySet<string>;
  /** The same as long as the same would be wiped. */
  readonly digest: string;
};

/** Volumes of the system that may have a partition of their own. */
const systemLabels = ['STATE', 'EPHEMERAL', 'IMAGECACHE', 'ETCD', 'CRI', 'KUBELET', 'LOG'] as const;
const meta = 'META';

/** What the node itself puts on its partitions; nothing recognised is what an interrupted wipe leaves. */
const ownContent: ReadonlySet<string> = new Set(['', 'luks', 'xfs', 'ext4', 'btrfs']);

/**
 * What a reset will wipe, when nothing stands against any of it.
 *
 * @throws {ResetError} for the first thing that does: contradicting names, a label or disk that is not there, or of which it
 *   is not known what it holds.
 */
export function planReset(names: ResetNames, ground: StorageFacts): ResetPlan {
  requireSense(names);
  const { mode, userDisks } = names;
  const labels = mode === 'user-disks' ? [] : labelsOf(names.labels, ground);
  const partitions = labels
    .filter((label) => label !== meta)
    .map((label) => findPartition(label, ground, names.labels.length > 0));
  const disks = chooseDisks(userDisks, ground);
  const volumes = new Set([
    ...partitions.map(({ partitionLabel }) => partitionLabel),
    ...volumesOn(disks, ground),
  ]);
  const wipesState = volumes.has('STATE');
  const wipesMeta = labels.includes(meta);
  if (wipesMeta && !wipesState)
    throw new ResetError('ERR_RESET_REFUSED', 'META says how STATE is opened: name STATE as well');
  const record: ResetRecord = {
    stage: 'wipe',
    partitions: partitions.map((partition) => ({
      label: partition.partitionLabel,
      disk: identityOf(diskOf(partition, ground)),
      partitionGuid: partition.partitionUuid,
    })),
    disks: disks.map(identityOf),
    forget: wipesState ? [] : [...volumes].toSorted(),
    wipesMeta,
  };
  const targets = [
    ...partitions.map((partition) => targetOf(partition.partitionLabel, partition)),
    ...(wipesMeta ? [{ name: meta, devPath: '', content: 'settings', sizeBytes: 0n }] : []),
    ...disks.map((disk) => targetOf(disk.id, wholeOf(disk, ground))),
  ];
  if (targets.length === 0)
    throw new ResetError('ERR_RESET_NOT_FOUND', 'the system has no partition of its own: nothing to wipe');
  const affected = [
    ...partitions,
    ...disks.flatMap((disk) =>
      ground.inventory.volumes.filter(({ id, parent }) => id === disk.id || parent === disk.id),
    ),
  ];
  const digest = createHash('sha256')
    .update(encodeReset(record))
    .update(JSON.stringify(affected.map((volume) => seenOf(volume, ground))))
    .digest('hex');
  return { targets, record, volumes, digest };
}

function requireSense({ mode, labels, userDisks }: ResetNames): void {
  if (mode === 'user-disks' && labels.length > 0)
    throw contradiction('mode user-disks leaves the system disk alone: name no system labels');
  if (mode === 'system-disk' && userDisks.length > 0)
    throw contradiction('mode system-disk leaves user disks alone: name none');
  if (mode === 'user-disks' && userDisks.length === 0)
    throw contradiction('mode user-disks needs the names of disks');
  for (const list of [labels, userDisks])
    if (new Set(list).size < list.length) throw contradiction('something is named twice');
}

function contradiction(message: string): ResetError {
  return new ResetError('ERR_RESET_REQUEST', message);
}

/** Those that are named; otherwise all that there are. */
function labelsOf(named: readonly string[], { inventory }: StorageFacts): readonly string[] {
  if (named.length === 0) {
    const there = new Set(inventory.volumes.map(({ partitionLabel }) => partitionLabel));
    return [...systemLabels.filter((label) => there.has(label)), ...(there.has('STATE') ? [meta] : [])];
  }
  const known: readonly string[] = [...systemLabels, meta];
  const unknown = named.find((label) => !known.includes(label));
  if (unknown === undefined) return named;
  throw new ResetError(
    'ERR_RESET_REQUEST',
    `${unknown} is no label of the system; those are ${known.join(', ')}`,
  );
}

function findPartition(label: string, ground: StorageFacts, isNamed: boolean): DiscoveredVolume {
  const { inventory, statuses } = ground;
  const refused = (why: string): never => {
    throw new ResetError('ERR_RESET_REFUSED', `${label} ${why}`);
  };
  const status = statuses.find(({ id }) => id === label);
  if (isNamed && status?.type === 'directory')
    refused('is a directory of EPHEMERAL: name EPHEMERAL to wipe it');
  const [partition, ...others] = inventory.volumes.filter(
    ({ type, partitionLabel }) => type === 'partition' && partitionLabel === label,
  );
  if (partition === undefined)
    throw new ResetError('ERR_RESET_NOT_FOUND', `there is no partition ${label}: nothing to wipe`);
  const { devPath } = partition;
  if (others.length > 0)
    refused(
      `is on ${[devPath, ...others.map((other) => other.devPath)].join(' and ')}: it is not known which is the node's`,
    );
  if (status?.location !== undefined && status.location !== devPath)
    refused(
      `is in use on ${status.location}, and ${devPath} has its label: look at osctl get discoveredvolumes`,
    );
  const disk = diskOf(partition, ground);
  if (status?.location === undefined && disk.id !== findSystemDisk(inventory))
    refused(
      `is on ${devPath}, which is not on the system disk, and no volume of the node is known to be there`,
    );
  if (disk.unresponsive === true || partition.error !== undefined)
    refused(`on ${devPath} can not be read: it is not known what is on it`);
  if (!ownContent.has(partition.name))
    refused(`on ${devPath} holds ${partition.name}, which the node did not put there: see osctl wipe disk`);
  return partition;
}

function diskOf({ parent, devPath }: DiscoveredVolume, { inventory }: StorageFacts): Disk {
  const disk = inventory.disks.find(({ id }) => id === parent);
  if (disk === undefined)
    throw new ResetError('ERR_RESET_BUSY', `the disk of ${devPath} is not known yet: try again`);
  return disk;
}

/** Whether it still is what was shown: another disk may have come under its name, and data may have been put on it. */
function seenOf(
  { id, parent, name, uuid }: DiscoveredVolume,
  { inventory }: StorageFacts,
): readonly string[] {
  const disk = inventory.disks.find((each) => each.id === parent || each.id === id);
  return [id, name, uuid, String(disk?.sequence)];
}

function wholeOf({ id }: Disk, { inventory }: StorageFacts): DiscoveredVolume | undefined {
  return inventory.volumes.find((volume) => volume.id === id);
}

function targetOf(name: string, volume: DiscoveredVolume | undefined): ResetTarget {
  return {
    name,
    devPath: volume?.devPath ?? '',
    content: volume?.name ?? '',
    sizeBytes: volume?.size ?? 0n,
  };
}

function volumesOn(disks: readonly Disk[], { statuses }: StorageFacts): readonly string[] {
  const paths = new Set(disks.map(({ devPath }) => devPath));
  return statuses
    .filter(({ location, parentLocation }) =>
      [location, parentLocation].some((path) => paths.has(path ?? '')),
    )
    .map(({ id }) => id);
}
