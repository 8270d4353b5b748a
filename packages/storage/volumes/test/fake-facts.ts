import { BlockError, type Mount, type Partition } from '@nodecore/block';

import type { NewPartition } from '../src/effects.ts';
import type { MountFlags } from '../src/index.ts';
import type { FakeDisk } from './fake-disk.ts';
import { signaturesOf, type Slot } from './fake-region.ts';

export function describe({ region, mark }: Slot): string {
  if (region.kind === 'zero' && mark !== undefined) return 'it has a mark of construction';
  const [signature] = signaturesOf(region);
  return signature === undefined ? 'its first MiB has data' : `holds ${signature.type}`;
}

export function placePartition(disk: FakeDisk, options: NewPartition): Partition {
  const { table } = disk;
  const { label, typeGuid, partitionGuid, sizeBytes, underConstruction } = options;
  const room = [...(table?.free ?? [])].sort((left, right) => (left.size > right.size ? -1 : 1))[0];
  const size = sizeBytes === 'rest' ? (room?.size ?? 0n) : sizeBytes;
  if (room === undefined || size > room.size)
    throw new BlockError('ERR_BLOCK_NO_SPACE', disk.facts.devPath, 'no room');
  const index = (table?.partitions.length ?? 0) + 1;
  return {
    index,
    partitionGuid,
    typeGuid,
    label,
    offset: room.offset,
    size,
    attributes: 0n,
    underConstruction,
    devPath: disk.pathOf(index),
  };
}

export function optionsOf(flags: MountFlags): readonly string[] {
  const { readOnly, ...others } = flags;
  const names = Object.entries(others).flatMap(([name, isSet]) => (isSet ? [name] : []));
  return [readOnly ? 'ro' : 'rw', ...names];
}

export function mountOf(source: string, target: string, type: string, flags: MountFlags): Mount {
  return {
    id: 0,
    parentId: 0,
    deviceNumber: source,
    root: '/',
    target,
    options: optionsOf(flags),
    type,
    source,
    superOptions: [],
  };
}
