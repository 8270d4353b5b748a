import { z, type ZodType } from 'zod';

import { apiVersion, secretText, size, sizeOrShare } from './common.ts';

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

const encryptionKey = z.strictObject({
  slot: z.int().optional().meta({ default: 0, description: 'LUKS2 key slot, 0 to 31' }),
  static: z.strictObject({ passphrase: secretText('used byte for byte') }).optional(),
  nodeID: z.strictObject({}).optional(),
  kms: z.strictObject({ endpoint: z.string() }).optional(),
  tpm: z
    .strictObject({
      options: z.strictObject({ pcrs: z.array(z.int()).optional() }).optional(),
      checkSecurebootStatusOnEnroll: z.boolean().optional(),
    })
    .optional(),
  lockToState: z.boolean().optional(),
});

const encryption = z.strictObject({
  provider: z.literal('luks2').optional(),
  keys: z.array(encryptionKey).optional(),
  cipher: z
    .enum(['aes-xts-plain64', 'xchacha12,aes-adiantum-plain64', 'xchacha20,aes-adiantum-plain64'])
    .optional()
    .meta({ default: 'aes-xts-plain64' }),
  keySize: z.int().optional().meta({ description: 'bits; 512 for aes-xts, 256 for adiantum' }),
  blockSize: z.int().optional().meta({ description: 'bytes: 512, 1024, 2048 or 4096' }),
  options: z.array(z.enum(['no_read_workqueue', 'no_write_workqueue', 'same_cpu_crypt'])).optional(),
  allowDiscards: z.boolean().optional().meta({ default: false }),
});

const mount = z.strictObject({
  secure: z.boolean().optional().meta({ default: true }),
  disableAccessTime: z.boolean().optional().meta({ default: false }),
});

export const userVolumeSchema: ZodType = z.strictObject({
  apiVersion,
  kind: z.literal('UserVolumeConfig'),
  name: z.string(),
  volumeType: z.enum(['partition', 'disk']).optional().meta({ default: 'partition' }),
  provisioning: provisioning.optional(),
  filesystem: filesystem.optional(),
  encryption: encryption.optional(),
  mount: mount.optional(),
});

export const systemVolumeSchema: ZodType = z.strictObject({
  apiVersion,
  kind: z.literal('VolumeConfig'),
  name: z.string(),
  provisioning: provisioning.optional(),
  filesystem: z.strictObject({ xfs: xfs.optional() }).optional(),
  encryption: encryption.optional(),
  mount: mount.optional(),
});
