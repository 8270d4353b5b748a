import { z, type ZodType } from 'zod';

import { apiVersion, documentName, foreignName } from './common.ts';
import { trim } from './trim.ts';

const mountOptions = {
  readOnly: z.boolean().optional().meta({ default: false }),
  disableAccessTime: z.boolean().optional().meta({ default: false }),
  secure: z.boolean().optional().meta({ default: true, description: 'nosuid, nodev and noexec' }),
};

/** Shape of an `ExistingVolumeConfig`; that a selector is there, and compiles, is checked by `readExistingVolume`. */
export const existingVolumeSchema: ZodType = z
  .strictObject({
    apiVersion,
    kind: z.literal('ExistingVolumeConfig'),
    name: foreignName,
    discovery: z
      .strictObject({
        volumeSelector: z
          .strictObject({
            match: z
              .string()
              .optional()
              .meta({ minLength: 1, description: 'CEL expression over volume, disk and system_disk' }),
          })
          .optional()
          .meta({ required: ['match'] }),
      })
      .optional()
      .meta({ required: ['volumeSelector'] }),
    mount: z.strictObject(mountOptions).optional(),
    trim,
  })
  .meta({ required: ['apiVersion', 'kind', 'name', 'discovery'] });

/** Shape of an `ExternalVolumeConfig`; its 36 characters of `tag` are for editors, `readExternalVolume` counts bytes. */
export const externalVolumeSchema: ZodType = z
  .strictObject({
    apiVersion,
    kind: z.literal('ExternalVolumeConfig'),
    name: documentName,
    filesystemType: z.literal('virtiofs'),
    mount: z
      .strictObject({
        ...mountOptions,
        virtiofs: z
          .strictObject({
            tag: z.string().optional().meta({
              minLength: 1,
              maxLength: 36,
              description: 'under which the host shares the directory',
            }),
          })
          .optional()
          .meta({ required: ['tag'] }),
      })
      .optional()
      .meta({ required: ['virtiofs'] }),
    trim,
  })
  .meta({ required: ['apiVersion', 'kind', 'name', 'filesystemType', 'mount'] });
