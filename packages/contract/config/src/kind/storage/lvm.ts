import { document } from '../../document.ts';
import { Mistake } from '../../field/mistake.ts';
import { object } from '../../field/object.ts';
import { parsed } from '../../field/parsed.ts';
import { onlyWhere } from '../../field/rule.ts';
import { choice, integer } from '../../field/scalars.ts';
import { fallback, optional, required, type Type } from '../../field/type.ts';
import { byteSize } from '../../type/quantity.ts';
import { volumeSelector } from '../../type/selector.ts';
import { size } from '../../type/size.ts';

const lvmName: Type<string> = parsed('a name', {
  json: { pattern: '^[A-Za-z0-9_][A-Za-z0-9_-]{0,62}$' },
  parse: (text) =>
    /^[A-Za-z0-9_][A-Za-z0-9_-]{0,62}$/u.test(text)
      ? text
      : new Mistake('lvm.name', 'must be letters, digits, _ and -, not - in front, 63 characters at most'),
});

const members = required(
  'which volumes it is made of',
  object({ match: required('an expression over volume and disk', volumeSelector) }),
);

/** `LVMVolumeGroupConfig`: volumes whose space is shared out. */
export const lvmVolumeGroup = document(
  'LVMVolumeGroupConfig',
  'volumes whose space is shared out by LVM',
  () => ({
    takesEffect: 'live',
    awaits: 'storage',
    container: 'refused',
    fields: {
      name: required('its name', lvmName),
      provisioning: required('what it is made of', object({ volumeSelector: members })),
    },
    example:
      'name: data\nprovisioning:\n  volumeSelector: {match: disk.transport == "nvme" && !system_disk}\n',
  }),
);

/** `LVMLogicalVolumeConfig`: a part of a volume group. */
export const lvmLogicalVolume = document('LVMLogicalVolumeConfig', 'a part of an LVM volume group', () => ({
  takesEffect: 'live',
  awaits: 'storage',
  container: 'refused',
  fields: {
    name: required('its name', lvmName),
    type: required('how it lies on its volumes', choice('linear', 'raid0', 'raid1', 'raid10')),
    mirrors: optional('copies beside the first', integer(1, 255)),
    stripes: optional('volumes that it is spread over', integer(2, 255)),
    provisioning: required(
      'where it is and how large',
      object(
        {
          volumeGroup: required('the group', lvmName),
          minSize: optional('smaller is not made', byteSize),
          maxSize: required('larger is not made: bytes, or a share of the group', size),
        },
        {
          check: ({ minSize, maxSize }, at) => {
            if (minSize !== undefined && maxSize.kind === 'bytes' && minSize > maxSize.bytes)
              at.at('minSize').problem('size.order', 'is larger than maxSize');
          },
        },
      ),
    ),
  },
  rules: [
    onlyWhere('mirrors', 'type', ['raid1', 'raid10']),
    onlyWhere('stripes', 'type', ['raid0', 'raid10']),
  ],
  example: 'name: db\ntype: raid1\nmirrors: 1\nprovisioning: {volumeGroup: data, maxSize: 50%}\n',
}));

const arrayName: Type<string> = parsed('a name', {
  json: { pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,31}$' },
  parse: (text) =>
    /^\w[\w.-]{0,31}$/u.test(text)
      ? text
      : new Mistake(
          'raid.name',
          'must be letters, digits, _ . and -, not . or - in front, 32 characters at most',
        ),
});

const metadata: Type<'1.0' | '1.2'> = parsed('1.0 or 1.2', {
  literal: true, // YAML reads an unquoted 1.0 as a number
  json: { enum: ['1.0', '1.2', 1, 1.2] },
  parse: (text) =>
    text === '1.0' || text === '1.2' ? text : new Mistake('invalid_value', 'must be 1.0 or 1.2'),
});

/** `RAIDArrayConfig`: volumes that hold the same. */
export const raidArray = document('RAIDArrayConfig', 'volumes that hold the same, as one', () => ({
  takesEffect: 'live',
  awaits: 'storage',
  container: 'refused',
  fields: {
    name: required('its name', arrayName),
    level: required('what they hold', choice('raid1')),
    metadata: fallback('where its description is: 1.0 at the end, 1.2 at the beginning', metadata, '1.0'),
    provisioning: required('what it is made of', object({ volumeSelector: members })),
  },
  example:
    'name: root\nlevel: raid1\nprovisioning:\n  volumeSelector: {match: volume.partition_label == "mirror"}\n',
}));
