import type { ResourceDefinition } from '@nodecore/api';

const block = 'block.nodecore.dev';

/** One resource for each disk below /sys/block, by its kernel name, which another disk may have after a reboot. */
export const disks: ResourceDefinition = {
  type: `Disks.${block}`,
  displayType: 'Disk',
  description: 'A disk and its hardware facts.',
  defaultNamespace: 'runtime',
  aliases: ['disk'],
  printColumns: [
    { name: 'Size', jsonPath: '$.pretty_size' },
    { name: 'Read Only', jsonPath: '$.readonly' },
    { name: 'Transport', jsonPath: '$.transport' },
    { name: 'Rotational', jsonPath: '$.rotational' },
    { name: 'WWID', jsonPath: '$.wwid' },
    { name: 'Model', jsonPath: '$.model' },
    { name: 'Serial', jsonPath: '$.serial' },
    { name: 'Error', jsonPath: '$.error' },
  ],
  sensitive: false,
};

/** By kernel name, like {@link discoveredVolumes}; published with them from the same inventory. */
export const blockDevices: ResourceDefinition = {
  type: `BlockDevices.${block}`,
  displayType: 'BlockDevice',
  description: 'A disk or a partition among the devices that it is stacked on and that are stacked on it.',
  defaultNamespace: 'runtime',
  aliases: ['bd'],
  printColumns: [
    { name: 'Type', jsonPath: '$.type' },
    { name: 'Number', jsonPath: '$.number' },
    { name: 'Size', jsonPath: '$.pretty_size' },
    { name: 'Parent', jsonPath: '$.parent' },
    { name: 'Secondaries', jsonPath: '$.secondaries[*]' },
    { name: 'Holders', jsonPath: '$.holders[*]' },
    { name: 'Name', jsonPath: '$.mapping.name' },
    { name: 'Level', jsonPath: '$.array.level' },
  ],
  sensitive: false,
};

/** One resource, `discovery`. While `error` is set, the other resources of discovery may be out of date. */
export const discoveryStatuses: ResourceDefinition = {
  type: `DiscoveryStatuses.${block}`,
  displayType: 'DiscoveryStatus',
  description: 'Whether every disk that the kernel has announced was looked at, and which could not be read.',
  defaultNamespace: 'runtime',
  aliases: ['ds'],
  printColumns: [
    { name: 'Ready', jsonPath: '$.ready' },
    { name: 'Disks', jsonPath: '$.disks' },
    { name: 'Volumes', jsonPath: '$.volumes' },
    { name: 'Unreadable', jsonPath: '$.unreadable[*]' },
    { name: 'Error', jsonPath: '$.error' },
  ],
  sensitive: false,
};

/** By kernel name, disks and partitions alike: what libblkid recognises on them. */
export const discoveredVolumes: ResourceDefinition = {
  type: `DiscoveredVolumes.${block}`,
  displayType: 'DiscoveredVolume',
  description: 'What is on a disk or a partition, whoever put it there.',
  defaultNamespace: 'runtime',
  aliases: ['dv'],
  printColumns: [
    { name: 'Type', jsonPath: '$.type' },
    { name: 'Size', jsonPath: '$.pretty_size' },
    { name: 'Discovered', jsonPath: '$.name' },
    { name: 'Label', jsonPath: '$.label' },
    { name: 'PartitionLabel', jsonPath: '$.partition_label' },
  ],
  sensitive: false,
};

/** `system-disk`, or none: on a host that is not ours, without a META partition, and with META on more than one disk. */
export const systemDisks: ResourceDefinition = {
  type: `SystemDisks.${block}`,
  displayType: 'SystemDisk',
  description: 'The disk that holds the META partition.',
  defaultNamespace: 'runtime',
  aliases: ['sd'],
  printColumns: [{ name: 'Disk', jsonPath: '$.diskID' }],
  sensitive: false,
};
