/*
 * JSON Schema of rules that readers report with better messages: for editors alone.
 */
import { type Json } from '../../field/type.ts';
import { keysOfState } from './encryption-block.ts';

/** A partition: it says of which disk, and how large. */
export const wantsPlace: Json = {
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
    scrub: false,
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
  then: {
    properties: {
      filesystem: { properties: { xfs: false, projectQuotaSupport: { const: false } } },
      scrub: { required: ['enabled'], properties: { enabled: { const: false } } },
    },
  },
};

function ofType(type: string, rules: object): object {
  return {
    if: { required: ['volumeType'], properties: { volumeType: { const: type } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: rules,
  };
}

/** What depends on the `volumeType` and the filesystem of a user volume. */
export const userVolumeRules: readonly Json[] = [
  {
    if: { properties: { volumeType: { const: 'partition' } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: wantsPlace,
  },
  ofType('disk', wholeDisk) as Json,
  ofType('directory', directory) as Json,
  onlyOnXfs,
];

/** Discarded blocks do not read as zeros through an encryption. */
export const noDiscardBelowEncryption: Json = {
  if: { required: ['encryption'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { provisioning: { properties: { blank: { not: { const: 'discard' } } } } } },
};

/** Fields that STATE and IMAGECACHE refuse, or limit. */
const fixed = [
  ['STATE', { provisioning: false, mount: false, encryption: keysOfState }],
  ['IMAGECACHE', { mount: false, filesystem: false, scrub: false }],
] as const;

/** What depends on which system volume it is; four are directories on EPHEMERAL, which take no block, unless they have a place. */
export const systemVolumeRules: readonly Json[] = [
  ...fixed.map(([name, properties]) => ({
    if: { properties: { name: { const: name } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties },
  })),
  {
    if: {
      properties: { name: { enum: ['ETCD', 'CRI', 'KUBELET', 'LOG'] } },
      not: { required: ['provisioning'] },
    },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { encryption: false, mount: false, filesystem: false, trim: false, scrub: false } },
  },
];
