import test, { type ExecutionContext } from 'ava';

import { DerivedLinks } from '../../src/links/derived-links.ts';
import type { Content } from '../../src/content/discovered-volume.ts';
import { readDisk } from '../../src/facts/disk-facts.ts';
import type { Signature } from '../../src/inventory.ts';
import { ataNames, scsiNames } from '../../src/links/vital-names.ts';
import { diskAttributes, sysfsTree } from '../facts/sysfs-tree.ts';

type Tree = Readonly<Record<string, string | Uint8Array>>;

/** The disk's links without the one that counts disks, and those of its third partition. */
async function linksOf(
  t: ExecutionContext,
  name: string,
  directory: string,
  tree: Tree,
): Promise<{ readonly disk: readonly string[]; readonly third: readonly string[] }> {
  const attributes = diskAttributes(directory, { name, number: '8:0', sectors: 2048n });
  const sysfs = await sysfsTree(t, { ...attributes, ...tree });
  const found = readDisk(sysfs, name);
  if (found === undefined) throw new Error('no disk');
  const links = new DerivedLinks(sysfs, found);
  const entry = { partitionIndex: 3, partitionUuid: '', partitionLabel: '' };
  return { disk: short(links.ofDisk({})), third: short(links.ofPartition(entry, {}, {})) };
}

function short(paths: readonly string[]): readonly string[] {
  return paths.map((path) => path.replace('/dev/disk/', '')).filter((path) => path !== 'by-diskseq/9');
}

/** Links to the buses of the directories above. */
function buses(levels: Readonly<Record<string, string>>): Tree {
  return Object.fromEntries(
    Object.entries(levels).map(([directory, bus]) => [`${directory}/subsystem`, `-> bus/${bus}`]),
  );
}

const pci = 'devices/pci0000:00/0000:00:05.0';

test('a virtio disk is named by its serial number and its slot, and so are its partitions', async (t) => {
  const directory = `${pci}/virtio1/block/vda`;
  const { disk, third } = await linksOf(t, 'vda', directory, {
    ...buses({ [pci]: 'pci', [`${pci}/virtio1`]: 'virtio' }),
    [`${directory}/serial`]: 'RIG VIRTIO/0\n',
  });
  const names = ['by-id/virtio-RIG_VIRTIO/0', 'by-path/pci-0000:00:05.0', 'by-path/virtio-pci-0000:00:05.0'];
  t.deepEqual(disk, names);
  t.deepEqual(
    third,
    names.map((name) => `${name}-part3`),
  );
});

test('an NVMe disk is named by its namespace, and by model and serial number', async (t) => {
  const controller = `${pci}/nvme/nvme0`;
  const directory = `${controller}/nvme0n1`;
  const { disk } = await linksOf(t, 'nvme0n1', directory, {
    ...buses({ [pci]: 'pci', [controller]: 'nvme' }),
    [`${directory}/device`]: `-> ${controller}`,
    [`${directory}/wwid`]: 'eui.0025385b71b00d2e\n',
    [`${directory}/nsid`]: '1\n',
    [`${controller}/model`]: 'Fast  Disk (512G)                       \n',
    [`${controller}/serial`]: 'S4EVNX0R         \n',
  });
  t.deepEqual(disk, [
    'by-id/nvme-Fast__Disk__512G__S4EVNX0R',
    'by-id/nvme-Fast__Disk__512G__S4EVNX0R_1',
    'by-id/nvme-eui.0025385b71b00d2e',
    'by-path/pci-0000:00:05.0-nvme-1',
  ]);
});

/** IDENTIFY DEVICE in page 0x89: texts have the bytes of each word exchanged. */
function ataPage(model: string, serial: string, wwn = 0n): Buffer {
  const identify = Buffer.alloc(512);
  identify.write(serial.padStart(20), 20, 'latin1');
  identify.write(model.padEnd(40), 54, 'latin1');
  identify.writeUInt16BE(wwn === 0n ? 0x4000 : 0x4100, 2 * 87);
  identify.writeBigUInt64BE(wwn, 2 * 108);
  const page = Buffer.concat([Buffer.from([0, 0x89, 2, 0x38]), Buffer.alloc(56), identify.swap16()]);
  return page;
}

test('a SATA disk is named by model, serial number and world-wide name, and by its port', async (t) => {
  const unit = `${pci}/ata3/host2/target2:0:0/2:0:0:0`;
  const { disk } = await linksOf(t, 'sda', `${unit}/block/sda`, {
    ...buses({ [pci]: 'pci', [`${pci}/ata3/host2`]: 'scsi', [unit]: 'scsi' }),
    [`${pci}/ata3/ata_port/ata3/port_no`]: '1\n',
    [`${unit}/block/sda/device`]: `-> ${unit}`,
    [`${unit}/vendor`]: 'ATA     \n',
    [`${unit}/vpd_pg89`]: ataPage('WDC WD40EFRX-68N32N0', 'WD-WCC7K0000001', 0x50014ee2b0000001n),
  });
  t.deepEqual(disk, [
    'by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K0000001',
    'by-id/wwn-0x50014ee2b0000001',
    'by-path/pci-0000:00:05.0-ata-1',
    'by-path/pci-0000:00:05.0-ata-1.0',
  ]);
  t.deepEqual(ataNames(ataPage('NO NAME', '')), { serial: 'NO_NAME' });
  t.is(ataNames(Buffer.from([0, 0x89, 0, 0])), undefined);
});

test('a USB disk is named by its vendor, model, serial number and unit, and by its plug', async (t) => {
  const stick = `${pci}/usb1/1-1`;
  const unit = `${stick}/1-1:1.0/host7/target7:0:0/7:0:0:2`;
  const tree = {
    ...buses({ [pci]: 'pci', [`${pci}/usb1`]: 'usb', [stick]: 'usb', [`${stick}/1-1:1.0`]: 'usb' }),
    ...buses({ [`${stick}/1-1:1.0/host7`]: 'scsi', [unit]: 'scsi' }),
    [`${stick}/manufacturer`]: 'Maker\n',
    [`${stick}/product`]: 'A Stick\n',
    [`${stick}/serial`]: 'S/N 1\n',
    [`${stick}/1-1:1.0/bInterfaceClass`]: '08\n',
    [`${unit}/block/sde/device`]: `-> ${unit}`,
    [`${unit}/vendor`]: 'QEMU    \n',
    [`${unit}/model`]: 'QEMU HARDDISK   \n',
  };
  const subclass = `${stick}/1-1:1.0/bInterfaceSubClass`;
  const scsi = await linksOf(t, 'sde', `${unit}/block/sde`, { ...tree, [subclass]: '06\n' });
  t.deepEqual(scsi.disk, [
    'by-id/usb-QEMU_QEMU_HARDDISK_S_N_1-0:2',
    'by-path/pci-0000:00:05.0-usb-0:1:1.0-scsi-0:0:0:2',
  ]);
  const other = await linksOf(t, 'sde', `${unit}/block/sde`, { ...tree, [subclass]: '04\n' });
  t.is(other.disk[0], 'by-id/usb-Maker_A_Stick_S_N_1');
});

test('an MMC card is named by its name and serial number', async (t) => {
  const card = `${pci}/mmc_host/mmc0/mmc0:4567`;
  const { disk } = await linksOf(t, 'mmcblk0', `${card}/block/mmcblk0`, {
    ...buses({ [pci]: 'pci', [card]: 'mmc' }),
    [`${card}/block/mmcblk0/device`]: `-> ${card}`,
    [`${card}/name`]: 'QEMU!\n',
    [`${card}/serial`]: '0xdeadbeef\n',
  });
  t.deepEqual(disk, ['by-id/mmc-QEMU__0xdeadbeef']);
});

// No such hardware is at hand: these trees are put together from what the kernel's transport classes document, not cut from
// a machine.

/** The attributes of a transport's class. */
function classed(kind: string, name: string, attributes: Readonly<Record<string, string>>): Tree {
  return Object.fromEntries(
    Object.entries(attributes).map(([attribute, value]) => [
      `class/${kind}/${name}/${attribute}`,
      `${value}\n`,
    ]),
  );
}

/** The links of a disk without vital product data, by the directory of its SCSI device and what the classes of its port say. */
async function pathsOf(t: ExecutionContext, unit: string, tree: Tree): Promise<readonly string[]> {
  const directory = `${unit}/block/sdb`;
  const host = unit.slice(0, unit.search(/\/host\d+\//) + '/host0'.length);
  const { disk, third } = await linksOf(t, 'sdb', directory, {
    ...buses({ [host]: 'scsi', [unit.slice(0, unit.lastIndexOf('/'))]: 'scsi', [unit]: 'scsi' }),
    ...(unit.startsWith(pci) ? buses({ [pci]: 'pci' }) : {}),
    [`${directory}/device`]: `-> ${unit}`,
    ...tree,
  });
  t.deepEqual(
    third,
    disk.map((name) => `${name}-part3`),
  );
  return disk;
}

for (const [number, lun] of [
  ['0', 'lun-0'],
  ['255', 'lun-255'],
  ['256', 'lun-0x0100000000000000'],
  ['16640', 'lun-0x4100000000000000'],
  ['65792', 'lun-0x0100000100000000'],
] as const) {
  test(`a disk on fibre channel is named by the port at the other end, and unit ${number} as ${lun}`, async (t) => {
    const unit = `${pci}/host2/rport-2:0-1/target2:0:4/2:0:4:${number}`;
    const tree = {
      ...classed('fc_transport', 'target2:0:4', { port_name: '0x50060e801049cfd1' }),
      ...classed('fc_remote_ports', 'rport-2:0-1', { port_name: '0x0000000000000000' }),
    };
    t.deepEqual(await pathsOf(t, unit, tree), [`by-path/pci-0000:00:05.0-fc-0x50060e801049cfd1-${lun}`]);
  });
}

test('a disk on fibre channel whose port has no name has no path', async (t) => {
  t.deepEqual(await pathsOf(t, `${pci}/host2/rport-2:0-1/target2:0:4/2:0:4:0`, {}), []);
});

for (const [what, levels, name] of [
  ['the phy of the host', 'port-6:0/end_device-6:0', 'sas-phy3-lun-0'],
  [
    'the phy of the expander, and the expander',
    'port-6:0/expander-6:0/port-6:0:7/end_device-6:0:7',
    'sas-exp0x500304801ed9a7ff-phy11-lun-0',
  ],
  ['its own address, where several phys go to it', 'port-6:1/end_device-6:1', 'sas-0x5000c50084a1b2c1-lun-0'],
] as const) {
  test(`a SAS disk is named by ${what}`, async (t) => {
    const tree = {
      ...classed('sas_port', 'port-6:0', { num_phys: '1' }),
      ...classed('sas_port', 'port-6:0:7', { num_phys: '1' }),
      ...classed('sas_port', 'port-6:1', { num_phys: '2' }),
      ...classed('sas_device', 'end_device-6:0', { phy_identifier: '3', sas_address: '0x5000c50084a1b2c0' }),
      ...classed('sas_device', 'end_device-6:1', { phy_identifier: '4', sas_address: '0x5000c50084a1b2c1' }),
      ...classed('sas_device', 'end_device-6:0:7', {
        phy_identifier: '11',
        sas_address: '0x5000c50084a1b2c2',
      }),
      ...classed('sas_device', 'expander-6:0', { phy_identifier: '0', sas_address: '0x500304801ed9a7ff' }),
    };
    const unit = `${pci}/host6/${levels}/target6:0:0/6:0:0:0`;
    t.deepEqual(await pathsOf(t, unit, tree), [`by-path/pci-0000:00:05.0-${name}`]);
  });
}

for (const [address, port] of [
  ['10.0.7.4', '3260'],
  ['fd00::7:4', '3261'],
] as const) {
  test(`an iSCSI disk is named by portal ${address} and target, whatever it goes through`, async (t) => {
    const levels = 'host3/session12/target3:0:0/3:0:0:2';
    const target = 'iqn.2003-01.org.example:storage.disk1';
    const tree = {
      ...classed('iscsi_session', 'session12', { targetname: target }),
      ...classed('iscsi_connection', 'connection12:0', {
        address: '192.0.2.1', // where the target has sent us
        persistent_address: address,
        persistent_port: port,
      }),
    };
    const name = `ip-${address}:${port}-iscsi-${target}-lun-2`;
    t.deepEqual(await pathsOf(t, `devices/platform/${levels}`, tree), [`by-path/${name}`]);
    t.deepEqual(await pathsOf(t, `${pci}/${levels}`, tree), [`by-path/pci-0000:00:05.0-${name}`]);
  });
}

/** Page 0x83 of designators: code set, type and bytes. */
function page83(...designators: readonly (readonly [code: number, type: number, bytes: Buffer])[]): Buffer {
  const list = Buffer.concat(
    designators.map(([code, type, bytes]) =>
      Buffer.concat([Buffer.from([code, type, 0, bytes.length]), bytes]),
    ),
  );
  return Buffer.concat([Buffer.from([0, 0x83, 0, list.length]), list]);
}

const qemu = { vendor: 'QEMU', model: 'QEMU HARDDISK' };
const ofNaa = Buffer.from('5000c500a1b2c3d4', 'hex');
const extended = Buffer.from('600508b1001c4d1d0000000000000007', 'hex');
const text = Buffer.from('RIG SCSI 0');
const page80 = Buffer.concat([Buffer.from([0, 0x80, 0, text.length]), text]);

for (const [what, page, expected] of [
  [
    'an NAA name',
    page83([2, 0, text], [1, 3, ofNaa]),
    { serial: '35000c500a1b2c3d4', wwn: '0x5000c500a1b2c3d4' },
  ],
  [
    'the extended one of two NAA names',
    page83([1, 3, ofNaa], [1, 3, extended]),
    { serial: '3600508b1001c4d1d0000000000000007', wwn: '0x600508b1001c4d1d0000000000000007' },
  ],
  ['an EUI-64', page83([1, 0x10 | 3, ofNaa], [1, 2, ofNaa]), { serial: '25000c500a1b2c3d4' }],
  ['a text of its vendor', page83([2, 0, text]), { serial: '0QEMU_QEMU_HARDDISK_RIG_SCSI_0' }],
  ['a serial number alone', undefined, { serial: 'SQEMU_QEMU_HARDDISK_RIG_SCSI_0' }],
] as const) {
  test(`a SCSI disk is named by ${what}`, (t) => {
    t.deepEqual(scsiNames(qemu, page, page80), expected);
  });
}

test('vital product data that lie about their length name nothing', (t) => {
  const cut = page83([1, 3, ofNaa]).subarray(0, 9);
  t.notThrows(() => scsiNames(qemu, cut, cut));
  t.is(scsiNames(qemu, undefined, undefined), undefined);
});

function content(signature: Partial<Signature>, tableType = ''): Content {
  const whole = {
    type: 'ext4',
    usage: 'filesystem',
    offset: 0n,
    uuid: 'AB-12',
    label: '',
    ...signature,
  } as const;
  const judgement = {
    name: whole.type,
    uuid: whole.uuid,
    label: whole.label,
    signatures: [whole],
    tableType,
  };
  return { judgement } as unknown as Content; // the fields that names rest on
}

test('content is named by UUID and label in a safe spelling; members of something bigger are not', async (t) => {
  const at = 'devices/virtual/block/loop3';
  const sysfs = await sysfsTree(t, diskAttributes(at, { name: 'loop3', number: '7:3', sectors: 2048n }));
  const found = readDisk(sysfs, 'loop3');
  if (found === undefined) throw new Error('no disk');
  const links = new DerivedLinks(sysfs, found);
  const counted = '/dev/disk/by-diskseq/9';
  t.deepEqual(links.ofDisk(content({ label: 'my lábel/x' })), [
    counted,
    String.raw`/dev/disk/by-label/my\x20lábel\x2fx`,
    '/dev/disk/by-uuid/AB-12',
  ]);
  t.deepEqual(links.ofDisk(content({ type: 'linux_raid_member', usage: 'raid' })), [counted]);
  t.deepEqual(links.ofDisk(content({ type: 'lvm2-pv', usage: 'raid' })), [
    counted,
    '/dev/disk/by-id/lvm-pv-uuid-AB-12',
  ]);
  const entry = { partitionIndex: 2, partitionUuid: '1-2-3', partitionLabel: 'the first' };
  t.deepEqual(links.ofPartition(entry, {}, content({}, 'gpt')), [
    String.raw`/dev/disk/by-partlabel/the\x20first`,
    '/dev/disk/by-partuuid/1-2-3',
  ]);
  t.deepEqual(links.ofPartition(entry, {}, content({}, 'dos')), ['/dev/disk/by-partuuid/1-2-3']);
});
