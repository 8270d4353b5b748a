import { object } from '../../field/object.ts';
import { boolean, choice } from '../../field/scalars.ts';
import { anyText, items, size, sizeOrShare, textLike, withJson } from '../../field/shape.ts';
import { optional, required } from '../../field/type.ts';
import { shortName } from '../../type/short-name.ts';

/** The name of a volume whose partition has it as a label. */
export const volumeName = required('a word for it, which becomes a label', shortName());

/** Name of a volume without a GPT label of ours, whose 36 code units would limit it. */
export const foreignName = required('a word for it', shortName(253));

/** Fields of `provisioning`. */
export const provisioningFields = {
  diskSelector: optional(
    'which disk',
    object({ match: required('CEL expression over disk and system_disk', anyText) }),
  ),
  erase: optional(
    'WWNs or serial numbers of unused disks whose content is erased for the volume before it is made; once it is made they have no effect',
    items(textLike(String.raw`\S`), { minItems: 1, uniqueItems: true }),
  ),
  grow: optional('take free space that appears directly after the partition', boolean),
  minSize: optional(
    'bytes with an optional unit (50GiB, 500MB)',
    withJson(size, { not: { enum: [0, '0'] } }),
  ),
  maxSize: optional(
    'bytes (50GiB) or a share (80%); negative: this much stays free (-10GiB, -10%)',
    withJson(sizeOrShare, { not: { enum: [0, '0', '0%', '-100%'] } }),
  ),
} as const;

/** Where a volume is, and how large. */
export const provisioningField = optional('where it is, and how large', object(provisioningFields));

const xfs = object({
  minAllocationGroupSize: optional('floor on non-rotational disks; 0 leaves mkfs alone', size),
});

/** Settings of xfs alone. */
export const xfsField = optional('settings of xfs', xfs);

/** The filesystem of a user volume. */
export const filesystemField = optional(
  'what it is formatted with',
  object({
    type: optional('the filesystem', withJson(choice('xfs', 'ext4', 'btrfs'), { default: 'xfs' })),
    projectQuotaSupport: optional('project quotas are kept', boolean),
    xfs: xfsField,
  }),
);

/** How a volume of ours is mounted. */
export const mountField = optional(
  'how it is mounted',
  object({
    secure: optional('nosuid, nodev and, but for EPHEMERAL, noexec', withJson(boolean, { default: true })),
    disableAccessTime: optional('times of access are not kept', withJson(boolean, { default: false })),
  }),
);
