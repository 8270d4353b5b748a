import { tableOf } from '../table.ts';

const image = 'installer: {image: "factory.example/metal-installer/abc:v1.14.0"}\n';
const disk = 'provisioning: {diskSelector: {match: disk.rotational}}\n';

tableOf('UnattendedInstallConfig', {
  reads: [[image + disk, { provisioning: { wipe: false } as never }]],
  refuses: [
    [image, 'required', 'provisioning'],
    [`${image}provisioning: §{}\n`, 'required', 'provisioning.diskSelector'],
    [
      `${image}provisioning: {diskSelector: {match: §disk.size}}\n`,
      'selector.invalid',
      'provisioning.diskSelector.match',
    ],
    [`installer: {image: §"a b"}\n${disk}`, 'image.reference', 'installer.image'],
  ],
  warns: [
    [disk, 'install.image', ''],
    [
      `${image}provisioning: {diskSelector: {match: disk.rotational}, wipe: §true}\n`,
      'install.wipe',
      'provisioning.wipe',
    ],
  ],
});
