import type { ResourceDefinition } from '@nodecore/api';

/** By who wants them: files below /etc, by path, with what they hold. */
export const etcFileSpecs: ResourceDefinition = {
  type: 'EtcFileSpecs.files.nodecore.dev',
  displayType: 'EtcFileSpec',
  description: 'Files below /etc that are wanted, with their contents.',
  defaultNamespace: 'files',
  aliases: [],
  printColumns: [{ name: 'Paths', jsonPath: '$.paths' }],
  sensitive: true,
};

/** One resource, `hosts`: `/etc/hosts` as a file of {@link etcFileSpecs}, written by the owner of the names. */
export const hostsFiles: ResourceDefinition = {
  type: 'HostsFiles.files.nodecore.dev',
  displayType: 'HostsFile',
  description: 'The file /etc/hosts that is wanted.',
  defaultNamespace: 'files',
  aliases: [],
  printColumns: [{ name: 'Paths', jsonPath: '$.paths' }],
  sensitive: false,
};

/** By path: files that are as wanted, and those that are not. */
export const etcFileStatuses: ResourceDefinition = {
  type: 'EtcFileStatuses.files.nodecore.dev',
  displayType: 'EtcFileStatus',
  description: 'A file below /etc that somebody wants, or that could not be given back.',
  defaultNamespace: 'files',
  aliases: ['etcfiles'],
  printColumns: [
    { name: 'Mode', jsonPath: '$.mode' },
    { name: 'Size', jsonPath: '$.size' },
    { name: 'Error', jsonPath: '$.error' },
  ],
  sensitive: false,
};
