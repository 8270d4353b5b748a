import { dirname } from 'node:path';

import type { Disk } from './inventory.ts';
import type { Sysfs } from './sysfs.ts';
import { readTransport } from './transport.ts';
import { unitSerialNumber, worldWideName } from './vital-product-data.ts';

/** What sysfs says about a disk; symlinks and the medium of an optical drive are found elsewhere. */
export type DiskFacts = Omit<Disk, 'symlinks' | 'error' | 'unresponsive'>;

/** How the kernel tells this disk from another one that had the same name before. */
export function diskIdentity(sysfs: Sysfs, id: string): string {
  const directory = `block/${id}`;
  const part = (name: string): string => sysfs.text(directory, name) ?? '';
  return [part('dev'), part('diskseq'), part('size'), part('ro')].join('/');
}

/** The names below `/sys/block` that are disks: RAM disks, hidden paths of a multipath disk and empty slots are not. */
export function diskIds(sysfs: Sysfs): string[] {
  return sysfs.entries('block').filter((id) => isDisk(sysfs, id));
}

function isDisk(sysfs: Sysfs, id: string): boolean {
  const directory = `block/${id}`;
  const size = sysfs.number(directory, 'size') ?? 0n;
  if (size === 0n && !isOptical(sysfs, id)) return false;
  if (sysfs.text(directory, 'dev')?.startsWith('1:') === true) return false; // major 1: RAM disks
  if (sysfs.flag(directory, 'hidden')) return false;
  return !isPrivateLvm(sysfs.text(directory, 'dm', 'uuid') ?? '');
}

/** LVM marks what is not meant for users (pool metadata, mirror legs, …) with a second hyphen: `LVM-<ids>-<what>`. */
function isPrivateLvm(uuid: string): boolean {
  return /^LVM-[^-]+-./.test(uuid);
}

/** sr(4) is the only driver of optical drives; SCSI calls the device type 5. */
export function isOptical(sysfs: Sysfs, id: string): boolean {
  return /^sr\d/.test(id) || sysfs.text('block', id, 'device', 'type') === '5';
}

/**
 * Reads the facts of one disk. Everything comes from sysfs: `size` times 512 is what BLKGETSIZE64 returns,
 * `queue/optimal_io_size` is BLKIOOPT and so on, at a fraction of the cost of opening the device, and sysfs answers for
 * a disk that hangs.
 */
export function readDiskFacts(sysfs: Sysfs, id: string): DiskFacts {
  const directory = `block/${id}`;
  const transport = readTransport(sysfs, id);
  const resolved = sysfs.resolve(directory) ?? '';
  const vpd = (page: string): Uint8Array | undefined => sysfs.bytes(directory, 'device', page);
  return {
    id,
    devPath: devPath(sysfs, directory, id),
    size: (sysfs.number(directory, 'size') ?? 0n) * 512n,
    ioSize: ioSize(sysfs, directory),
    sectorSize: Number(sysfs.number(directory, 'queue', 'logical_block_size') ?? 512n),
    readonly: sysfs.flag(directory, 'ro'),
    cdrom: isOptical(sysfs, id),
    rotational: sysfs.flag(directory, 'queue', 'rotational'),
    model: sysfs.first(directory, ['device/model']),
    serial: sysfs.first(directory, ['serial', 'device/serial']) || unitSerialNumber(vpd('vpd_pg80')),
    modalias: sysfs.first(directory, ['device/modalias', 'device/device/modalias']),
    wwid: sysfs.first(directory, ['wwid', 'device/wwid']) || worldWideName(vpd('vpd_pg83')),
    uuid: sysfs.first(directory, ['uuid', 'device/uuid']),
    firmwareVersion: transport === 'nvme' ? sysfs.first(directory, ['device/firmware_rev']) : '',
    busPath: busPath(resolved),
    subSystem: sysfs.resolve(directory, 'subsystem') ?? '',
    transport,
    secondaryDisks: secondaryDisks(sysfs, directory),
  };
}

/** The device's node; `DEVNAME` may hold a directory, where the kernel's name has an exclamation mark. */
export function devPath(sysfs: Sysfs, directory: string, id: string): string {
  return `/dev/${sysfs.uevent(directory).get('DEVNAME') ?? id.replaceAll('!', '/')}`;
}

/** The first positive power of two among the sizes the device asks for. */
export function ioSize(sysfs: Sysfs, directory: string): number {
  for (const name of ['optimal_io_size', 'minimum_io_size', 'logical_block_size']) {
    const size = sysfs.number(directory, 'queue', name) ?? 0n;
    if (size > 0n && (size & (size - 1n)) === 0n) return Number(size);
  }
  return 512;
}

/** Two levels above the device is the bus: `/sys/devices/pci0000:00/0000:00:04.0/virtio1/block/vda`. */
function busPath(resolved: string): string {
  const prefix = '/sys/devices';
  return resolved.startsWith(prefix) ? dirname(dirname(resolved)).slice(prefix.length) : '';
}

function secondaryDisks(sysfs: Sysfs, directory: string): string[] {
  const disks = sysfs.entries(directory, 'slaves').map((slave) => {
    const path = sysfs.resolve(directory, 'slaves', slave);
    const isPartition = sysfs.text(directory, 'slaves', slave, 'partition') !== undefined;
    return isPartition && path !== undefined ? (dirname(path).split('/').pop() ?? slave) : slave;
  });
  return [...new Set(disks)].sort();
}
