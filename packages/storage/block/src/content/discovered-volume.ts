import type { DiskFacts } from '../facts/disk-facts.ts';
import type { DiscoveredVolume } from '../inventory.ts';
import type { Judgement } from './judgement.ts';
import type { KernelPartition } from '../facts/kernel-partition.ts';

/** What is on a device, or why that is unknown. */
export type Content = {
  readonly judgement?: Judgement;
  readonly error?: string;
  readonly unresponsive?: boolean;
  /** An optical drive without a medium. */
  readonly empty?: boolean;
};

type ContentFields = Pick<
  DiscoveredVolume,
  'name' | 'uuid' | 'label' | 'blockSize' | 'filesystemBlockSize' | 'probedSize' | 'signatures' | 'error'
>;

function contentFields({ judgement, error }: Content): ContentFields {
  const { name = '', uuid = '', label = '', signatures = [] } = judgement ?? {};
  const { blockSize = 0, filesystemBlockSize = 0, probedSize = 0n } = judgement ?? {};
  const fields = { name, uuid, label, blockSize, filesystemBlockSize, probedSize, signatures };
  return error === undefined ? fields : { ...fields, error };
}

/** The whole disk as a volume. */
export function diskVolume(
  disk: DiskFacts,
  content: Content,
  place: Pick<DiscoveredVolume, 'devicePath' | 'deviceNumber' | 'holders' | 'secondaries' | 'symlinks'>,
): DiscoveredVolume {
  return {
    id: disk.id,
    type: 'disk',
    devPath: disk.devPath,
    ...place,
    parent: '',
    parentDevPath: '',
    offset: 0n,
    size: disk.size,
    sectorSize: disk.sectorSize,
    ioSize: disk.ioSize,
    ...contentFields(content),
    partitionUuid: '',
    partitionType: '',
    partitionLabel: '',
    partitionIndex: 0,
  };
}

/**
 * A partition as a volume: the kernel's place, the table's names. A table that was changed without telling the kernel
 * describes another partition; its names are left out then.
 */
export function partitionVolume(
  disk: DiskFacts,
  partition: KernelPartition,
  content: Content,
  table: Judgement | undefined,
): Omit<DiscoveredVolume, 'symlinks'> {
  const entry = table?.tableEntries.find(
    ({ index, offset }) => index === partition.index && offset === partition.offset,
  );
  return {
    id: partition.id,
    type: 'partition',
    devPath: partition.devPath,
    devicePath: partition.devicePath,
    deviceNumber: partition.number,
    parent: disk.id,
    parentDevPath: disk.devPath,
    offset: partition.offset,
    size: partition.size,
    sectorSize: disk.sectorSize,
    ioSize: disk.ioSize,
    ...contentFields(content),
    partitionUuid: entry?.uuid ?? '',
    partitionType: entry?.type ?? '',
    partitionLabel: entry?.label ?? '',
    partitionIndex: partition.index,
    holders: partition.holders,
    secondaries: [],
  };
}
