import test from 'ava';

import { readTransport } from '../../src/facts/transport.ts';
import { sysfsTree } from './sysfs-tree.ts';

const named: Readonly<Record<string, string>> = {
  nvme0n1: 'nvme',
  vda: 'virtio',
  xvda: 'xenblk',
  mmcblk0: 'mmc',
  'dm-0': 'dm',
  loop0: '',
  md127: '',
};

for (const [name, transport] of Object.entries(named)) {
  test(`${name} is attached by ${transport === '' ? 'nothing' : transport}`, async (t) => {
    t.is(readTransport(await sysfsTree(t, {}), name, `devices/virtual/block/${name}`), transport);
  });
}

const address = 'devices/pci0000:00/0000:00:08.0/host3/target3:0:0/3:0:0:0';

/** A SCSI disk on host 3, with what the host says of itself. */
const hosts: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['spi', { 'class/spi_host/host3/signalling': 'LVD\n' }],
  ['fc', { 'class/fc_host/host3/port_name': '0x1\n' }],
  ['sas', { 'class/sas_host/host3/device': '' }],
  ['sas', { [`${address}/sas_device`]: '1\n', 'class/scsi_host/host3/proc_name': 'megaraid_sas\n' }],
  ['ibp', { [`${address}/ieee1394_id`]: '1\n' }],
  ['iscsi', { 'class/iscsi_host/host3/initiatorname': 'iqn\n' }],
  ['sata', { 'class/scsi_host/host3/proc_name': 'ahci\n' }],
  ['sata', { 'class/scsi_host/host3/proc_name': 'sata_nv\n' }],
  ['ata', { 'class/scsi_host/host3/proc_name': 'ata_piix\n' }],
  ['virtio', { 'class/scsi_host/host3/proc_name': 'virtio_scsi\n' }],
  ['megaraid_sas', { 'class/scsi_host/host3/proc_name': 'megaraid_sas\n' }],
];

for (const [transport, tree] of hosts) {
  test(`a SCSI host with ${Object.values(tree).join(' ').trim() || transport} is ${transport}`, async (t) => {
    const sysfs = await sysfsTree(t, {
      [`${address}/block/sda/device`]: `-> ${address}`,
      ...tree,
    });
    t.is(readTransport(sysfs, 'sda', `${address}/block/sda`), transport);
  });
}

test('a SCSI disk below a USB port is usb, whatever its driver is called', async (t) => {
  const port = 'devices/pci0000:00/0000:00:09.0/usb1/1-1/1-1:1.0/host3/target3:0:0/3:0:0:0';
  const sysfs = await sysfsTree(t, {
    [`${port}/block/sda/device`]: `-> ${port}`,
    'class/scsi_host/host3/proc_name': 'usb-storage\n',
  });
  t.is(readTransport(sysfs, 'sda', `${port}/block/sda`), 'usb');
});
