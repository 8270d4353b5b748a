import { tableOf } from '../table.ts';

const members = 'provisioning: {volumeSelector: {match: "true"}}\n';

tableOf('LVMVolumeGroupConfig', {
  accepts: [
    `name: data\n${members}`,
    'name: data\nprovisioning:\n  volumeSelector: {match: volume.size > 1u * GB && !system_disk}\n',
  ],
  refuses: [
    [`name: §-data\n${members}`, 'lvm.name', 'name'],
    [`name: §a.b\n${members}`, 'lvm.name', 'name'],
    ['name: a\nprovisioning: §{}\n', 'required', 'provisioning.volumeSelector'],
    [
      'name: a\nprovisioning: {volumeSelector: {match: §volume.size}}\n',
      'selector.invalid',
      'provisioning.volumeSelector.match',
    ],
  ],
});

const volume = (type: string, more = ''): string =>
  `name: db\ntype: ${type}\n${more}provisioning: {volumeGroup: data, maxSize: 10GiB}\n`;

tableOf('LVMLogicalVolumeConfig', {
  reads: [[volume('raid1', 'mirrors: 2\n'), { type: 'raid1', mirrors: 2 }]],
  accepts: [
    volume('linear'),
    volume('raid10', 'mirrors: 1\nstripes: 2\n'),
    'name: db\ntype: raid0\nprovisioning: {volumeGroup: data, minSize: 1GiB, maxSize: 50%}\n',
  ],
  refuses: [
    [volume('§raid5'), 'invalid_value', 'type'],
    [volume('linear', 'mirrors: §1\n'), 'fields.only_where', 'mirrors'],
    [volume('raid1', 'mirrors: §0\n'), 'number.range', 'mirrors'],
    [volume('raid1', 'stripes: §2\n'), 'fields.only_where', 'stripes'],
    [volume('raid0', 'stripes: §1\n'), 'number.range', 'stripes'],
    ['name: db\ntype: linear\nprovisioning: §{volumeGroup: data}\n', 'required', 'provisioning.maxSize'],
    [
      'name: db\ntype: linear\nprovisioning: {volumeGroup: data, maxSize: §-1GiB}\n',
      'size.negative',
      'provisioning.maxSize',
    ],
    [
      'name: db\ntype: linear\nprovisioning: {volumeGroup: data, minSize: §2GiB, maxSize: 1GiB}\n',
      'size.order',
      'provisioning.minSize',
    ],
  ],
});

tableOf('RAIDArrayConfig', {
  reads: [
    [`name: root\nlevel: raid1\n${members}`, { level: 'raid1', metadata: '1.0' }],
    [`name: root\nlevel: raid1\nmetadata: 1.0\n${members}`, { metadata: '1.0' }],
    [`name: root\nlevel: raid1\nmetadata: "1.2"\n${members}`, { metadata: '1.2' }],
  ],
  refuses: [
    [`name: §..\nlevel: raid1\n${members}`, 'raid.name', 'name'],
    [`name: root\nlevel: §raid5\n${members}`, 'invalid_value', 'level'],
    [`name: root\nlevel: raid1\nmetadata: §1.1\n${members}`, 'invalid_value', 'metadata'],
  ],
});
