import type { ResourceDefinition } from '@nodecore/api';

const block = 'block.nodecore.dev';

/** By `<requester>-<volume>`. The requester writes and owns it; to withdraw it, the requester first releases the mount. */
export const volumeMountRequests: ResourceDefinition = {
  type: `VolumeMountRequests.${block}`,
  displayType: 'VolumeMountRequest',
  description: 'That a service needs a volume mounted, and how.',
  defaultNamespace: 'runtime',
  aliases: ['vmr'],
  printColumns: [
    { name: 'Volume', jsonPath: '$.volumeID' },
    { name: 'Requester', jsonPath: '$.requester' },
    { name: 'Read Only', jsonPath: '$.readOnly' },
  ],
  sensitive: false,
};

/** By the id of the volume: merged from its {@link volumeMountRequests}, and replaced at each change of them. */
export const mountRequests: ResourceDefinition = {
  type: `MountRequests.${block}`,
  displayType: 'MountRequest',
  description: 'What everybody who needs a volume mounted wants of its mount together.',
  defaultNamespace: 'runtime',
  aliases: ['mr'],
  printColumns: [
    { name: 'Volume', jsonPath: '$.volumeID' },
    { name: 'Parent', jsonPath: '$.parentID' },
    { name: 'Requesters', jsonPath: '$.requesters[*]' },
    { name: 'Read Only', jsonPath: '$.readOnly' },
  ],
  sensitive: false,
};

/** By the id of the request. The requester's finalizer on it keeps the volume mounted; teardown asks for its removal. */
export const volumeMountStatuses: ResourceDefinition = {
  type: `VolumeMountStatuses.${block}`,
  displayType: 'VolumeMountStatus',
  description: 'What became of the request for a mount: where it is, or why it is not there.',
  defaultNamespace: 'runtime',
  aliases: ['vms'],
  printColumns: [
    { name: 'Volume', jsonPath: '$.volumeID' },
    { name: 'Requester', jsonPath: '$.requester' },
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Target', jsonPath: '$.target' },
    { name: 'Error', jsonPath: '$.errorMessage' },
  ],
  sensitive: false,
};
