import { document } from '../../document.ts';
import { fallback } from '../../field/type.ts';
import { duration } from '../../type/duration.ts';

/** `FilesystemScrubConfig`: how often the filesystems are checked while they are in use. */
export const filesystemScrub = document(
  'FilesystemScrubConfig',
  'how often xfs filesystems are checked while they are in use',
  () => ({
    takesEffect: 'live',
    container: 'ignored',
    fields: { interval: fallback('from one check to the next', duration({ least: '10s' }), '168h') },
    example: 'interval: 168h\n',
  }),
);
