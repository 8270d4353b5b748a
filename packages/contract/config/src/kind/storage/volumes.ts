import { readRawVolume, readSwapVolume } from '../../block-volume.ts';
import { documentWith } from '../../document.ts';
import { object } from '../../field/object.ts';
import { choice } from '../../field/scalars.ts';
import { anyText, withJson } from '../../field/shape.ts';
import { optional, required } from '../../field/type.ts';
import { systemVolumeNames } from '../../system-names.ts';
import { readSystemVolume } from '../../system-volume.ts';
import { readUserVolume } from '../../user-volume.ts';
import { encryptionField } from './encryption-block.ts';
import {
  filesystemField,
  mountField,
  provisioningField,
  provisioningFields,
  volumeName,
  xfsField,
} from './volume-blocks.ts';
import { scrubField } from './scrub-block.ts';
import { trimField } from './trim-block.ts';
import { noDiscardBelowEncryption, systemVolumeRules, userVolumeRules, wantsPlace } from './volume-editor.ts';

const volume = { takesEffect: 'live', container: 'refused', shortNames: true } as const;
const place = 'provisioning:\n  diskSelector: {match: \'disk.transport == "nvme"\'}\n  minSize: 50GiB\n';

/** `UserVolumeConfig`: a filesystem of the user's own. */
export const userVolume = documentWith(
  'UserVolumeConfig',
  "a filesystem of the user's own, mounted below /var/mnt",
  () => ({
    ...volume,
    fields: {
      name: volumeName,
      volumeType: optional(
        'a partition, a whole disk, or a directory on EPHEMERAL',
        withJson(choice('partition', 'disk', 'directory'), { default: 'partition' }),
      ),
      provisioning: provisioningField,
      filesystem: filesystemField,
      encryption: encryptionField,
      mount: mountField,
      trim: trimField,
      scrub: scrubField,
    },
    editor: userVolumeRules,
    example: `name: data\n${place}`,
  }),
  readUserVolume,
);

/** `VolumeConfig`: a volume that the node keeps for itself. */
export const systemVolume = documentWith(
  'VolumeConfig',
  'a volume that the node keeps for itself',
  () => ({
    ...volume,
    fields: {
      name: required('which one', withJson(anyText, { enum: [...systemVolumeNames] })),
      provisioning: provisioningField,
      filesystem: optional('settings of its filesystem', object({ xfs: xfsField })),
      encryption: encryptionField,
      mount: mountField,
      trim: trimField,
      scrub: scrubField,
    },
    editor: systemVolumeRules,
    example: 'name: EPHEMERAL\nprovisioning: {maxSize: 80%}\n',
  }),
  readSystemVolume,
);

const blank = optional(
  'how old data is kept from showing when the partition is made; discard only where the device guarantees zeros',
  withJson(choice('zeroes', 'discard', 'none'), { default: 'zeroes' }),
);

/** `RawVolumeConfig`: a partition that programs use as it is. */
export const rawVolume = documentWith(
  'RawVolumeConfig',
  'a partition that programs use as it is',
  () => ({
    ...volume,
    fields: {
      name: volumeName,
      provisioning: optional('where it is, and how large', object({ ...provisioningFields, blank })),
      encryption: encryptionField,
    },
    editor: [wantsPlace, noDiscardBelowEncryption],
    example: `name: raw\n${place}`,
  }),
  readRawVolume,
);

/** `SwapVolumeConfig`: a partition that the kernel swaps to. */
export const swapVolume = documentWith(
  'SwapVolumeConfig',
  'a partition that the kernel swaps to',
  () => ({
    ...volume,
    fields: { name: volumeName, provisioning: provisioningField, encryption: encryptionField },
    editor: [wantsPlace],
    example: `name: swap\n${place}`,
  }),
  readSwapVolume,
);
