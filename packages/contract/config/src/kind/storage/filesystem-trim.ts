import { documentWith } from '../../document.ts';
import { filesystemTrimOf } from '../../trim.ts';
import { trimInterval } from './trim-block.ts';

/** `FilesystemTrimConfig`: how often all volumes are trimmed. */
export const filesystemTrim = documentWith(
  'FilesystemTrimConfig',
  'how often unused blocks of all volumes are told to their disks',
  () => ({
    takesEffect: 'live',
    shortNames: true,
    fields: { interval: trimInterval },
    example: 'interval: 168h\n',
  }),
  filesystemTrimOf,
);
