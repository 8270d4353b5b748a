import type { Partition } from '@nodecore/block';

import type { Candidate, DeviceFacts, Facts, Found } from '../src/facts/facts.ts';
import type { MountFlags, VolumeSpec, VolumeStatus } from '../src/index.ts';
import { initialStatus } from '../src/status-change.ts';
import { diskFacts } from './fake-disk.ts';

const gibibyte = 1n << 30n;
export const secure: MountFlags = {
  readOnly: false,
  nosuid: true,
  nodev: true,
  noexec: true,
  noatime: false,
};

export function status(spec: VolumeSpec, change: Partial<VolumeStatus> = {}): VolumeStatus {
  return { ...initialStatus(spec), ...change };
}

export function facts(change: Partial<Facts> = {}): Facts {
  return {
    disksKnown: true,
    systemDisk: undefined,
    intents: { available: true },
    parentMounted: true,
    pending: [],
    made: 'nothing',
    growth: {},
    sound: 'checked',
    ...change,
  };
}

export function found(id: string, change: Partial<Partition> = {}): Found {
  const partition: Partition = {
    index: 1,
    partitionGuid: `guid-${id}`,
    typeGuid: '',
    label: 'u-data',
    offset: 1n << 20n,
    size: gibibyte,
    attributes: 0n,
    underConstruction: false,
    devPath: `/dev/${id}1`,
    ...change,
  };
  const disk = diskFacts(id, 10n * gibibyte);
  return { disk, devPath: partition.devPath, size: partition.size, partition, recorded: false };
}

export function wholeDisk(id: string): Found {
  const disk = diskFacts(id, 10n * gibibyte);
  return { disk, devPath: disk.devPath, size: disk.size, recorded: false };
}

export function device(change: Partial<DeviceFacts> = {}): DeviceFacts {
  return {
    found: found('sda'),
    size: gibibyte,
    underConstruction: false,
    content: { kind: 'empty' },
    mountedAt: [],
    ...change,
  };
}

export function candidate(id: string, change: Partial<Candidate> = {}): Candidate {
  return { disk: diskFacts(id, 10n * gibibyte), free: 10n * gibibyte, ...change };
}
