import { z, type ZodType } from 'zod';

import { apiVersion, documentName, size, sizeOrShare } from './common.ts';
import { encryption, keysOfState } from './encryption.ts';
import { trim } from './trim.ts';

const provisioning = z.strictObject({
  diskSelector: z
    .strictObject({ match: z.string().meta({ description: 'CEL expression over disk and system_disk' }) })
    .optional(),
  grow: z
    .boolean()
    .optional()
    .meta({ description: 'take free space that appears directly after the partition' }),
  minSize: size.optional(),
  maxSize: sizeOrShare.optional(),
});

const xfs = z.strictObject({
  minAllocationGroupSize: size
    .optional()
    .meta({ description: 'floor on non-rotational disks; 0 leaves mkfs alone' }),
});

const filesystem = z.strictObject({
  type: z.enum(['xfs', 'ext4']).optional().meta({ default: 'xfs' }),
  projectQuotaSupport: z.boolean().optional(),
  xfs: xfs.optional(),
});

const mount = z.strictObject({
  secure: z.boolean().optional().meta({ default: true }),
  disableAccessTime: z.boolean().optional().meta({ default: false }),
});

export const userVolumeSchema: ZodType = z.strictObject({
  apiVersion,
  kind: z.literal('UserVolumeConfig'),
  name: documentName,
  volumeType: z.enum(['partition', 'disk']).optional().meta({ default: 'partition' }),
  provisioning: provisioning.optional(),
  filesystem: filesystem.optional(),
  encryption: encryption.optional(),
  mount: mount.optional(),
  trim,
});

export const systemVolumeSchema: ZodType = z
  .strictObject({
    apiVersion,
    kind: z.literal('VolumeConfig'),
    name: z.string().meta({ enum: ['STATE', 'EPHEMERAL'] }),
    provisioning: provisioning.optional(),
    filesystem: z.strictObject({ xfs: xfs.optional() }).optional(),
    encryption: encryption.optional(),
    mount: mount.optional(),
    trim,
  })
  .meta({
    if: { properties: { name: { const: 'STATE' } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { provisioning: false, mount: false, encryption: keysOfState } },
  });
