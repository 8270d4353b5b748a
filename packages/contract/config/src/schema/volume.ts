import { z, type ZodType } from 'zod';

import { systemVolumeNames } from './system-names.ts';
import { apiVersion, documentName, size, sizeOrShare } from './common.ts';
import { encryption, keysOfState } from './encryption.ts';
import { trim } from './trim.ts';

const provisioning = z.strictObject({
  diskSelector: z
    .strictObject({ match: z.string().meta({ description: 'CEL expression over disk and system_disk' }) })
    .optional(),
  erase: z
    .array(z.string().meta({ pattern: String.raw`\S` }))
    .optional()
    .meta({
      description:
        'WWNs or serial numbers of unused disks whose content is erased for the volume before it is made; once it is made they have no effect',
      minItems: 1,
      uniqueItems: true,
    }),
  grow: z
    .boolean()
    .optional()
    .meta({ description: 'take free space that appears directly after the partition' }),
  minSize: size.optional().meta({ not: { enum: [0, '0'] } }),
  maxSize: sizeOrShare.optional().meta({ not: { enum: [0, '0', '0%', '-100%'] } }),
});

const xfs = z.strictObject({
  minAllocationGroupSize: size
    .optional()
    .meta({ description: 'floor on non-rotational disks; 0 leaves mkfs alone' }),
});

const filesystem = z.strictObject({
  type: z.enum(['xfs', 'ext4', 'btrfs']).optional().meta({ default: 'xfs' }),
  projectQuotaSupport: z.boolean().optional(),
  xfs: xfs.optional(),
});

const mount = z.strictObject({
  secure: z.boolean().optional().meta({ default: true }),
  disableAccessTime: z.boolean().optional().meta({ default: false }),
});

/** JSON Schema of a partition; the parser checks the same rules, with better messages. */
const wantsPlace = {
  required: ['provisioning'],
  properties: {
    provisioning: {
      required: ['diskSelector'],
      properties: { diskSelector: { properties: { match: { minLength: 1 } } } },
      anyOf: [{ required: ['minSize'] }, { required: ['maxSize'] }],
    },
  },
};

const wholeDisk = {
  required: ['provisioning'],
  properties: {
    provisioning: {
      required: ['diskSelector'],
      properties: {
        diskSelector: { properties: { match: { minLength: 1 } } },
        minSize: false,
        maxSize: false,
        grow: false,
      },
    },
  },
};

const directory = {
  properties: {
    provisioning: false,
    filesystem: false,
    encryption: false,
    trim: false,
    mount: { properties: { disableAccessTime: false } },
  },
};

/** The default type is xfs. */
const onlyOnXfs = {
  if: {
    required: ['filesystem'],
    properties: { filesystem: { required: ['type'], properties: { type: { enum: ['ext4', 'btrfs'] } } } },
  },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { filesystem: { properties: { xfs: false, projectQuotaSupport: { const: false } } } } },
};

function ofType(type: string, rules: object): object {
  return {
    if: { required: ['volumeType'], properties: { volumeType: { const: type } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: rules,
  };
}

/** Shape of a `UserVolumeConfig`; what depends on `volumeType` is JSON Schema for editors, and `readUserVolume` reports it. */
export const userVolumeSchema: ZodType = z
  .strictObject({
    apiVersion,
    kind: z.literal('UserVolumeConfig'),
    name: documentName,
    volumeType: z.enum(['partition', 'disk', 'directory']).optional().meta({ default: 'partition' }),
    provisioning: provisioning.optional(),
    filesystem: filesystem.optional(),
    encryption: encryption.optional(),
    mount: mount.optional(),
    trim,
  })
  .meta({
    allOf: [
      {
        if: { properties: { volumeType: { const: 'partition' } } },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: wantsPlace,
      },
      ofType('disk', wholeDisk),
      ofType('directory', directory),
      onlyOnXfs,
    ],
  });

const rawProvisioning = provisioning.extend({
  blank: z.enum(['zeroes', 'discard', 'none']).optional().meta({
    default: 'zeroes',
    description:
      'how old data is kept from showing when the partition is made; discard only where the device guarantees zeros',
  }),
});

/** Discarded blocks do not read as zeros through an encryption. */
const noDiscardBelowEncryption = {
  if: { required: ['encryption'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { provisioning: { properties: { blank: { not: { const: 'discard' } } } } } },
};

/** Shape of a `RawVolumeConfig`: that of a swap volume, and `provisioning.blank`. */
export const rawVolumeSchema: ZodType = blockVolume('RawVolumeConfig', rawProvisioning, [
  noDiscardBelowEncryption,
]);
/** Shape of a `SwapVolumeConfig`: always a partition, so without `volumeType`, `filesystem` and `mount`. */
export const swapVolumeSchema: ZodType = blockVolume('SwapVolumeConfig', provisioning);

function blockVolume(
  kind: 'RawVolumeConfig' | 'SwapVolumeConfig',
  provisioning: ZodType,
  rules: readonly object[] = [],
): ZodType {
  return z
    .strictObject({
      apiVersion,
      kind: z.literal(kind),
      name: documentName,
      provisioning: provisioning.optional(),
      encryption: encryption.optional(),
    })
    .meta({ allOf: [wantsPlace, ...rules] });
}

/** Fields that STATE and IMAGECACHE refuse, or limit. */
const fixed = [
  ['STATE', { provisioning: false, mount: false, encryption: keysOfState }],
  ['IMAGECACHE', { mount: false, filesystem: false }],
] as const;

/** Without `provisioning` these are directories on EPHEMERAL, which take no other block. */
const directoryUnlessPlaced = {
  if: {
    properties: { name: { enum: ['ETCD', 'CRI', 'KUBELET', 'LOG'] } },
    not: { required: ['provisioning'] },
  },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { encryption: false, mount: false, filesystem: false, trim: false } },
};

/** Shape of a `VolumeConfig`; zod takes any `name`, as `readSystemVolume` reports one that is no system volume. */
export const systemVolumeSchema: ZodType = z
  .strictObject({
    apiVersion,
    kind: z.literal('VolumeConfig'),
    name: z.string().meta({ enum: [...systemVolumeNames] }),
    provisioning: provisioning.optional(),
    filesystem: z.strictObject({ xfs: xfs.optional() }).optional(),
    encryption: encryption.optional(),
    mount: mount.optional(),
    trim,
  })
  .meta({
    allOf: [
      ...fixed.map(([name, properties]) => ({
        if: { properties: { name: { const: name } } },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { properties },
      })),
      directoryUnlessPlaced,
    ],
  });
