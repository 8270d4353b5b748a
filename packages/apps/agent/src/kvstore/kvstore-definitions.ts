import type { ResourceDefinition } from '@nodecore/api';

/** `local`, or none where the configuration has no kvstore. */
export const kvstoreMembers: ResourceDefinition = {
  type: 'KvstoreMembers.kvstore.nodecore.dev',
  displayType: 'KvstoreMember',
  description: 'This node as a member of the kvstore, and what it waits for.',
  defaultNamespace: 'kvstore',
  aliases: ['km'],
  printColumns: [
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Member', jsonPath: '$.memberID' },
    { name: 'Name', jsonPath: '$.name' },
    { name: 'Healthy', jsonPath: '$.healthy' },
    { name: 'Learner', jsonPath: '$.learner' },
    { name: 'Version', jsonPath: '$.version' },
    { name: 'Restarts', jsonPath: '$.restarts' },
    { name: 'Reason', jsonPath: '$.reason' },
  ],
  sensitive: false,
};

/** `local`, or none while no defragmentation is configured. */
export const kvstoreDefragmentations: ResourceDefinition = {
  type: 'KvstoreDefragmentations.kvstore.nodecore.dev',
  displayType: 'KvstoreDefragmentation',
  description: 'When the node defragments its own member, as its configuration says, and how it went last.',
  defaultNamespace: 'kvstore',
  aliases: [],
  printColumns: [
    { name: 'Next', jsonPath: '$.next' },
    { name: 'Last', jsonPath: '$.last.started' },
    { name: 'Result', jsonPath: '$.last.result' },
    { name: 'Before', jsonPath: '$.last.dbSizeBefore' },
    { name: 'After', jsonPath: '$.last.dbSizeAfter' },
    { name: 'Message', jsonPath: '$.last.message' },
  ],
  sensitive: false,
};

/** One resource for each snapshot in the directory, by the name of its file; none while no snapshots are configured. */
export const kvstoreSnapshots: ResourceDefinition = {
  type: 'KvstoreSnapshots.kvstore.nodecore.dev',
  displayType: 'KvstoreSnapshot',
  description: 'A snapshot that the node has taken of its own member, as its configuration says.',
  defaultNamespace: 'kvstore',
  aliases: [],
  printColumns: [
    { name: 'Taken', jsonPath: '$.taken' },
    { name: 'Size', jsonPath: '$.size' },
    { name: 'Revision', jsonPath: '$.revision' },
    { name: 'Hash', jsonPath: '$.hash' },
    { name: 'File', jsonPath: '$.file' },
  ],
  sensitive: false,
};

/** `local`, or none while the member does not answer. */
export const kvstoreStatuses: ResourceDefinition = {
  type: 'KvstoreStatuses.kvstore.nodecore.dev',
  displayType: 'KvstoreStatus',
  description: "What this node's member of the kvstore says about itself, while it runs.",
  defaultNamespace: 'kvstore',
  aliases: ['ks'],
  printColumns: [
    { name: 'DB Size', jsonPath: '$.dbSize' },
    { name: 'In Use', jsonPath: '$.dbSizeInUse' },
    { name: 'Leader', jsonPath: '$.leader' },
    { name: 'Revision', jsonPath: '$.revision' },
    { name: 'Raft Index', jsonPath: '$.raftIndex' },
    { name: 'Raft Term', jsonPath: '$.raftTerm' },
    { name: 'Errors', jsonPath: '$.errors' },
  ],
  sensitive: false,
};
