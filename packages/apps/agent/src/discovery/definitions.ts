import type { ResourceDefinition } from '@nodecore/api';

const block = 'block.nodecore.dev';

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

export const systemDisks: ResourceDefinition = {
  type: `SystemDisks.${block}`,
  displayType: 'SystemDisk',
  description: 'The disk that holds the META partition.',
  defaultNamespace: 'runtime',
  aliases: ['sd'],
  printColumns: [{ name: 'Disk', jsonPath: '$.diskID' }],
  sensitive: false,
};
