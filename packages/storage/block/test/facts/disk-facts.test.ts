import test from 'ava';

import { readDisk } from '../../src/facts/disk-facts.ts';
import type { DiscoveredVolume } from '../../src/inventory.ts';
import { kernelPartitions } from '../../src/facts/kernel-partition.ts';
import { withArrayUuid } from '../../src/facts/stacked.ts';
import { diskAttributes, sysfsTree } from './sysfs-tree.ts';

const nvme = 'devices/pci0000:00/0000:00:05.0/nvme/nvme0/nvme0n1';
const scsi = 'devices/pci0000:00/0000:00:07.0/virtio3/host2/target2:0:0/2:0:0:0/block/sda';

const at = (name: string): string => `devices/virtual/block/${name}`;

/** Vital product data page 0x80 of the emulated disk. */
const serialPage = Buffer.from('0080000a' + Buffer.from('RIG-SCSI-0').toString('hex'), 'hex');

test('an NVMe disk has the facts of its controller and its namespace', async (t) => {
  const sysfs = await sysfsTree(t, {
    ...diskAttributes(nvme, { name: 'nvme0n1', number: '259:1', sectors: 2097152n }),
    [`${nvme}/wwid`]: 'nvme.1b36-5249472d4e564d452d30-51454d55204e564d65204374726c-00000001\n',
    [`${nvme}/device`]: '-> devices/pci0000:00/0000:00:05.0/nvme/nvme0',
    [`${nvme}/queue/optimal_io_size`]: '4096\n',
    'devices/pci0000:00/0000:00:05.0/nvme/nvme0/model': 'QEMU NVMe Ctrl                          \n',
    'devices/pci0000:00/0000:00:05.0/nvme/nvme0/serial': 'RIG-NVME-0          \n',
    'devices/pci0000:00/0000:00:05.0/nvme/nvme0/firmware_rev': '7.2.0   \n',
    'devices/pci0000:00/0000:00:05.0/nvme/nvme0/device': '-> devices/pci0000:00/0000:00:05.0',
    'devices/pci0000:00/0000:00:05.0/modalias': 'pci:v00001B36d00000010sv00001AF4sd00001100bc01sc08i02\n',
  });
  t.deepEqual(readDisk(sysfs, 'nvme0n1'), {
    facts: {
      id: 'nvme0n1',
      sequence: 9n,
      devPath: '/dev/nvme0n1',
      size: 1n << 30n,
      ioSize: 4096,
      sectorSize: 512,
      readonly: false,
      cdrom: false,
      rotational: false,
      model: 'QEMU NVMe Ctrl',
      serial: 'RIG-NVME-0',
      modalias: 'pci:v00001B36d00000010sv00001AF4sd00001100bc01sc08i02',
      wwid: 'nvme.1b36-5249472d4e564d452d30-51454d55204e564d65204374726c-00000001',
      uuid: '',
      firmwareVersion: '7.2.0',
      transport: 'nvme',
      busPath: '/pci0000:00/0000:00:05.0/nvme',
      subSystem: '/sys/class/block',
      secondaryDisks: [],
    },
    identity: '259/1/9/1073741824/512',
    directory: nvme,
    number: '259:1',
    holders: [],
    secondaries: [],
  });
});

test('a SCSI disk without a serial attribute has the one of its vital product data', async (t) => {
  const sysfs = await sysfsTree(t, {
    ...diskAttributes(scsi, { name: 'sda', number: '8:0', sectors: 2097152n }),
    [`${scsi}/device`]: '-> devices/pci0000:00/0000:00:07.0/virtio3/host2/target2:0:0/2:0:0:0',
    'devices/pci0000:00/0000:00:07.0/virtio3/host2/target2:0:0/2:0:0:0/model': 'QEMU HARDDISK   \n',
    'devices/pci0000:00/0000:00:07.0/virtio3/host2/target2:0:0/2:0:0:0/type': '0\n',
    'devices/pci0000:00/0000:00:07.0/virtio3/host2/target2:0:0/2:0:0:0/vpd_pg80': serialPage,
    'class/scsi_host/host2/proc_name': 'virtio_scsi\n',
  });
  t.like(readDisk(sysfs, 'sda')?.facts, {
    serial: 'RIG-SCSI-0',
    model: 'QEMU HARDDISK',
    transport: 'virtio',
  });
});

test('a USB stick has the serial of the USB device that it hangs on', async (t) => {
  const stick = 'devices/pci0000:00/0000:00:0b.0/usb1/1-1';
  const unit = `${stick}/1-1:1.0/host7/target7:0:0/7:0:0:0`;
  const sysfs = await sysfsTree(t, {
    ...diskAttributes(`${unit}/block/sde`, { name: 'sde', number: '8:64', sectors: 524288n }),
    [`${unit}/block/sde/device`]: `-> ${unit}`,
    [`${unit}/model`]: 'QEMU HARDDISK   \n',
    [`${unit}/type`]: '0\n',
    [`${stick}/bDeviceClass`]: '00\n',
    [`${stick}/serial`]: 'RIG-USB-0\n',
    'devices/pci0000:00/0000:00:0b.0/usb1/bDeviceClass': '09\n',
    'devices/pci0000:00/0000:00:0b.0/usb1/serial': '0000:00:0b.0\n',
  });
  t.like(readDisk(sysfs, 'sde')?.facts, { transport: 'usb', serial: 'RIG-USB-0' });
});

test('a name with an exclamation mark has a node in a directory', async (t) => {
  const directory = 'devices/pci0000:00/0000:00:06.0/block/cciss!c0d0';
  const sysfs = await sysfsTree(
    t,
    diskAttributes(directory, { name: 'cciss!c0d0', number: '104:0', sectors: 8n }),
  );
  t.is(readDisk(sysfs, 'cciss!c0d0')?.facts.devPath, '/dev/cciss/c0d0');
});

test('RAM disks, empty slots, hidden paths and private LVM devices are no disks', async (t) => {
  const sysfs = await sysfsTree(t, {
    ...diskAttributes(at('ram0'), { name: 'ram0', number: '1:0', sectors: 8192n }),
    ...diskAttributes(at('loop7'), { name: 'loop7', number: '7:7', sectors: 0n }),
    ...diskAttributes(at('nvme0c0n1'), { name: 'nvme0c0n1', number: '259:0', sectors: 8n }),
    [`${at('nvme0c0n1')}/hidden`]: '1\n',
    ...diskAttributes(at('dm-1'), { name: 'dm-1', number: '253:1', sectors: 8n }),
    [`${at('dm-1')}/dm/uuid`]: 'LVM-vg0123lv0123-tmeta\n',
    ...diskAttributes(at('dm-2'), { name: 'dm-2', number: '253:2', sectors: 8n }),
    [`${at('dm-2')}/dm/uuid`]: 'LVM-vg0123lv0123\n',
    [`${at('dm-2')}/dm/name`]: 'vg-rimage\n',
    ...diskAttributes(at('dm-3'), { name: 'dm-3', number: '253:3', sectors: 8n }),
    [`${at('dm-3')}/dm/uuid`]: 'LVM-vg0123lv0124\n',
    [`${at('dm-3')}/dm/name`]: 'vg-lv_rimage_0\n',
    ...diskAttributes(at('dm-4'), { name: 'dm-4', number: '253:4', sectors: 8n }),
    [`${at('dm-4')}/dm/uuid`]: '\n',
    [`${at('dm-4')}/dm/name`]: 'not_lvm_rmeta_0\n',
  });
  const names = ['ram0', 'loop7', 'nvme0c0n1', 'dm-1', 'dm-2', 'dm-3', 'dm-4', 'gone'];
  t.deepEqual(
    names.filter((name) => readDisk(sysfs, name) !== undefined),
    ['dm-2', 'dm-4'],
  );
});

test('an optical drive is a disk even with nothing in it', async (t) => {
  const directory = 'devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sr0';
  const sysfs = await sysfsTree(t, diskAttributes(directory, { name: 'sr0', number: '11:0', sectors: 0n }));
  t.like(readDisk(sysfs, 'sr0')?.facts, { cdrom: true, size: 0n });
});

test('a stacked device names the disks below it, not their partitions', async (t) => {
  const directory = 'devices/virtual/block/dm-0';
  const sysfs = await sysfsTree(t, {
    ...diskAttributes(directory, { name: 'dm-0', number: '253:0', sectors: 8n }),
    ...diskAttributes(nvme, { name: 'nvme0n1', number: '259:1', sectors: 8n }),
    ...diskAttributes(scsi, { name: 'sda', number: '8:0', sectors: 8n }),
    [`${nvme}/nvme0n1p1/partition`]: '1\n',
    [`${nvme}/nvme0n1p2/partition`]: '2\n',
    [`${directory}/slaves/nvme0n1p1`]: `-> ${nvme}/nvme0n1p1`,
    [`${directory}/slaves/nvme0n1p2`]: `-> ${nvme}/nvme0n1p2`,
    [`${directory}/slaves/sda`]: `-> ${scsi}`,
  });
  const found = readDisk(sysfs, 'dm-0');
  t.like(found?.facts, { transport: 'dm', secondaryDisks: ['nvme0n1', 'sda'] });
  t.deepEqual(found?.secondaries, ['nvme0n1p1', 'nvme0n1p2', 'sda']);
});

/** A device of device-mapper with these devices below it. */
function mapped(
  id: string,
  mapping: { readonly name: string; readonly uuid: string },
  slaves: readonly string[],
): Record<string, string> {
  const directory = at(id);
  const below = (slave: string): string => (slave.startsWith('dm-') ? at(slave) : nvme);
  return {
    ...diskAttributes(directory, { name: id, number: `253:${id.slice(3)}`, sectors: 8n }),
    [`${directory}/dm/name`]: `${mapping.name}\n`,
    [`${directory}/dm/uuid`]: `${mapping.uuid}\n`,
    ...Object.fromEntries(slaves.map((slave) => [`${directory}/slaves/${slave}`, `-> ${below(slave)}`])),
  };
}

const ids = 'FZu34Do8RnXrRnH7sgAbkXmic3C3oacVv0bQ5lLZ2cJ7pYt1Xk3mWn8dRf6gHa9s';

test('a logical volume has the names and UUIDs of LVM, and the disks below what LVM keeps for itself', async (t) => {
  const sysfs = await sysfsTree(t, {
    ...diskAttributes(nvme, { name: 'nvme0n1', number: '259:1', sectors: 8n }),
    ...mapped('dm-0', { name: 'a--b-c--d_rimage_0', uuid: `LVM-${ids}-real` }, ['nvme0n1']),
    ...mapped('dm-1', { name: 'a--b-c--d', uuid: `LVM-${ids}` }, ['dm-0']),
  });
  const found = readDisk(sysfs, 'dm-1');
  t.deepEqual(found?.facts.mapping, {
    name: 'a--b-c--d',
    uuid: `LVM-${ids}`,
    maker: 'LVM',
    lvm: {
      volumeGroup: 'a-b',
      volumeGroupUuid: 'FZu34D-o8Rn-XrRn-H7sg-AbkX-mic3-C3oacV',
      logicalVolume: 'c-d',
      logicalVolumeUuid: 'v0bQ5l-LZ2c-J7pY-t1Xk-3mWn-8dRf-6gHa9s',
    },
  });
  t.deepEqual(found?.facts.secondaryDisks, ['nvme0n1']);
  t.deepEqual(found?.secondaries, ['dm-0']);
});

test('other mappings say who made them, when they say anything', async (t) => {
  const sysfs = await sysfsTree(t, {
    ...mapped('dm-0', { name: 'u-data', uuid: 'CRYPT-LUKS2-3f2a9c1e5b644d0f8a1177c2d9e0b3a4-u-data' }, []),
    ...mapped('dm-1', { name: 'plain', uuid: '' }, []),
  });
  t.like(readDisk(sysfs, 'dm-0')?.facts.mapping, { name: 'u-data', maker: 'CRYPT', lvm: undefined });
  t.deepEqual(readDisk(sysfs, 'dm-1')?.facts.mapping, { name: 'plain', uuid: '', maker: '' });
});

const member = (uuid: string): DiscoveredVolume =>
  ({ name: 'linux_raid_member', uuid, holders: ['md0'] }) as unknown as DiscoveredVolume;

test('an array of md says how whole it is, and its members which one it is', async (t) => {
  const directory = at('md0');
  const sysfs = await sysfsTree(t, {
    ...diskAttributes(directory, { name: 'md0', number: '9:0', sectors: 8n }),
    [`${directory}/md/level`]: 'raid1\n',
    [`${directory}/md/metadata_version`]: '1.2\n',
    [`${directory}/md/array_state`]: 'clean\n',
    [`${directory}/md/raid_disks`]: '2\n',
    [`${directory}/md/degraded`]: '1\n',
  });
  const facts = readDisk(sysfs, 'md0')?.facts;
  t.deepEqual(facts?.array, {
    level: 'raid1',
    metadata: '1.2',
    state: 'clean',
    members: 2,
    missing: 1,
    uuid: '',
  });
  if (facts === undefined) return;
  const array = { ...facts, symlinks: [] };
  t.is(withArrayUuid(array, [member('one'), member('one')]).array?.uuid, 'one');
  t.is(withArrayUuid(array, [member('one'), member('two')]).array?.uuid, '');
});

test('the I/O size is the first power of two that the device asks for', async (t) => {
  const tree = diskAttributes(nvme, { name: 'nvme0n1', number: '259:1', sectors: 8n });
  const odd = {
    ...tree,
    [`${nvme}/queue/optimal_io_size`]: '196608\n',
    [`${nvme}/queue/minimum_io_size`]: '65536\n',
  };
  t.is(readDisk(await sysfsTree(t, odd), 'nvme0n1')?.facts.ioSize, 65536);
});

test('partitions come in the order of their numbers, with places in bytes', async (t) => {
  const partition = (index: number, start: number): Record<string, string> => ({
    [`${nvme}/nvme0n1p${index}/partition`]: `${index}\n`,
    [`${nvme}/nvme0n1p${index}/start`]: `${start}\n`,
    [`${nvme}/nvme0n1p${index}/size`]: '2048\n',
    [`${nvme}/nvme0n1p${index}/uevent`]: `DEVNAME=nvme0n1p${index}\nDEVTYPE=partition\nPARTN=${index}\n`,
    [`${nvme}/nvme0n1p${index}/holders/dm-0`]: '',
  });
  const sysfs = await sysfsTree(t, {
    ...diskAttributes(nvme, { name: 'nvme0n1', number: '259:1', sectors: 2097152n }),
    ...partition(10, 4096),
    ...partition(2, 2048),
    [`${nvme}/nvme0n1-not-a-partition/size`]: '1\n',
  });
  t.like(kernelPartitions(sysfs, 'nvme0n1'), [
    { id: 'nvme0n1p2', index: 2, offset: 1n << 20n, size: 1n << 20n, devicePath: `/sys/${nvme}/nvme0n1p2` },
    { id: 'nvme0n1p10', index: 10, devPath: '/dev/nvme0n1p10', offset: 2n << 20n, holders: ['dm-0'] },
  ]);
});
