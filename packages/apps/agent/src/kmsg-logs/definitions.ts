import type { ResourceDefinition } from '@nodecore/api';

/** By the name of the document: who gets the lines of the kernel, and how far that is. */
export const kmsgLogStatuses: ResourceDefinition = {
  type: 'KmsgLogStatuses.runtime.nodecore.dev',
  displayType: 'KmsgLogStatus',
  description: 'A receiver of the lines of the kernel.',
  defaultNamespace: 'runtime',
  aliases: ['kmsglogs'],
  printColumns: [
    { name: 'Receiver', jsonPath: '$.receiver' },
    { name: 'Sent', jsonPath: '$.sent' },
    { name: 'Dropped', jsonPath: '$.dropped' },
    { name: 'Error', jsonPath: '$.error' },
  ],
  sensitive: false,
};
