import type { ResourceDefinition } from '@nodecore/api';

const block = 'block.nodecore.dev';

/** By the id of the volume; one that is closed has none. */
export const volumeStatuses: ResourceDefinition = {
  type: `VolumeStatuses.${block}`,
  displayType: 'VolumeStatus',
  description: 'How far a configured volume has come, and why it is not ready.',
  defaultNamespace: 'runtime',
  aliases: ['vs'],
  printColumns: [
    { name: 'Type', jsonPath: '$.type' },
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Location', jsonPath: '$.location' },
    { name: 'Size', jsonPath: '$.prettySize' },
    { name: 'Key Slot', jsonPath: '$.encryptionSlot' },
    { name: 'Key Problems', jsonPath: '$.encryptionFailedSyncs[*].code' },
    { name: 'Reason', jsonPath: '$.reason' },
  ],
  sensitive: false,
};

/** By the id of the volume, for volumes with a mount only. */
export const mountStatuses: ResourceDefinition = {
  type: `MountStatuses.${block}`,
  displayType: 'MountStatus',
  description: 'Where a configured volume is mounted, or why it is not.',
  defaultNamespace: 'runtime',
  aliases: ['ms'],
  printColumns: [
    { name: 'Source', jsonPath: '$.source' },
    { name: 'Target', jsonPath: '$.target' },
    { name: 'Filesystem', jsonPath: '$.filesystem' },
    { name: 'Volume', jsonPath: '$.spec.volumeID' },
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Requesters', jsonPath: '$.spec.requesters[*]' },
    { name: 'Error', jsonPath: '$.errorCode' },
  ],
  sensitive: false,
};

/** One resource, `volumes`. */
export const volumeManagerStatuses: ResourceDefinition = {
  type: `VolumeManagerStatuses.${block}`,
  displayType: 'VolumeManagerStatus',
  description: 'Whether the volumes are those of a configuration, and whether they have exactly its keys.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'Configured', jsonPath: '$.configured' },
    { name: 'Keys in Sync', jsonPath: '$.keysInSync' },
  ],
  sensitive: false,
};
