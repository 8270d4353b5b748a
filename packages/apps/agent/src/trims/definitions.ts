import type { ResourceDefinition } from '@nodecore/api';

const block = 'block.nodecore.dev';

/** By the id of the volume, as soon as a verdict says whether it can be trimmed. */
export const volumeTrimStatuses: ResourceDefinition = {
  type: `VolumeTrimStatuses.${block}`,
  displayType: 'VolumeTrimStatus',
  description: 'When a volume is trimmed, what came of the last trim, and why it is skipped.',
  defaultNamespace: 'runtime',
  aliases: ['vts'],
  printColumns: [
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Next', jsonPath: '$.next' },
    { name: 'Done %', jsonPath: '$.donePercent' },
    { name: 'Last', jsonPath: '$.last.started' },
    { name: 'Result', jsonPath: '$.last.outcome' },
    { name: 'Bytes', jsonPath: '$.last.trimmedBytes' },
    { name: 'Duration ms', jsonPath: '$.last.durationMs' },
    { name: 'Error', jsonPath: '$.last.errorCode' },
    { name: 'Skipped', jsonPath: '$.skippedMessage' },
  ],
  sensitive: false,
};
