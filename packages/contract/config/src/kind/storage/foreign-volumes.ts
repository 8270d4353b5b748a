import { documentWith } from '../../document.ts';
import { object } from '../../field/object.ts';
import { boolean, choice } from '../../field/scalars.ts';
import { anyText, withJson } from '../../field/shape.ts';
import { optional, required } from '../../field/type.ts';
import { readExistingVolume, readExternalVolume } from '../../foreign-volume.ts';
import { scrubField } from './scrub-block.ts';
import { trimField } from './trim-block.ts';
import { foreignName, volumeName } from './volume-blocks.ts';

const volume = { takesEffect: 'live', container: 'refused', shortNames: true } as const;

const mountFields = {
  readOnly: optional('nothing is written', withJson(boolean, { default: false })),
  disableAccessTime: optional('times of access are not kept', withJson(boolean, { default: false })),
  secure: optional('nosuid, nodev and noexec', withJson(boolean, { default: true })),
} as const;

const match = optional(
  'CEL expression over volume, disk and system_disk',
  withJson(anyText, { minLength: 1 }),
);

/** `ExistingVolumeConfig`: a filesystem that somebody else has made. */
export const existingVolume = documentWith(
  'ExistingVolumeConfig',
  'a filesystem that somebody else has made, mounted below /var/mnt',
  () => ({
    ...volume,
    fields: {
      name: foreignName,
      discovery: optional(
        'how it is found',
        withJson(
          object({
            volumeSelector: optional('which one', withJson(object({ match }), { required: ['match'] })),
          }),
          { required: ['volumeSelector'] },
        ),
      ),
      mount: optional('how it is mounted', object(mountFields)),
      trim: trimField,
      scrub: scrubField,
    },
    editor: [{ required: ['discovery'] }],
    example: 'name: archive\ndiscovery:\n  volumeSelector: {match: \'volume.label == "archive"\'}\n',
  }),
  readExistingVolume,
);

const tag = optional(
  'under which the host shares the directory',
  withJson(anyText, { minLength: 1, maxLength: 36 }),
);

/** `ExternalVolumeConfig`: a directory that the host of a virtual machine shares. */
export const externalVolume = documentWith(
  'ExternalVolumeConfig',
  'a directory that the host of a virtual machine shares, mounted below /var/mnt',
  () => ({
    ...volume,
    fields: {
      name: volumeName,
      filesystemType: required('how it is shared', choice('virtiofs')),
      mount: optional(
        'how it is mounted',
        withJson(
          object({
            ...mountFields,
            virtiofs: optional('what is shared', withJson(object({ tag }), { required: ['tag'] })),
          }),
          { required: ['virtiofs'] },
        ),
      ),
      trim: trimField,
    },
    editor: [{ required: ['mount'] }],
    example: 'name: shared\nfilesystemType: virtiofs\nmount:\n  virtiofs: {tag: shared}\n',
  }),
  readExternalVolume,
);
