import { posix } from 'node:path';

import type { Disk } from '../inventory.ts';
import { isPrivateLvm, readArray, readMapping, secondaryDisks } from './stacked.ts';
import type { Sysfs } from './sysfs.ts';
import { readTransport } from './transport.ts';
import { unitSerialNumber, worldWideName } from './vital-product-data.ts';

/** What sysfs says about a disk; its links and the medium of an optical drive are found elsewhere. */
export type DiskFacts = Omit<Disk, 'symlinks' | 'error' | 'unresponsive'>;

/** A disk as the kernel has it. */
export type KernelDisk = {
  readonly facts: DiskFacts;
  /** Tells this disk, with this size, from another one that has or had the same name. */
  readonly identity: string;
  /** Its directory below the root of sysfs. */
  readonly directory: string;
  /** `major:minor`. */
  readonly number: string;
  readonly holders: readonly string[];
  readonly secondaries: readonly string[];
};

/** Devices that the kernel makes in advance, and that never hold a medium of their own. */
const slot = /^(?:loop|nbd|ram|zram)\d+$/;

/**
 * Reads what the kernel knows about a block device. Undefined when it is no disk: RAM disks, hidden paths of a multipath
 * disk, LVM's private devices and empty slots are not.
 *
 * Everything comes from sysfs: `size` times 512 is what BLKGETSIZE64 returns, `queue/optimal_io_size` is BLKIOOPT and so
 * on, at a fraction of the cost of opening the device, and sysfs answers for a disk that hangs.
 */
export function readDisk(sysfs: Sysfs, id: string): KernelDisk | undefined {
  // Most machines have eight of them, and a look at all their attributes costs as much as one at a disk.
  if (slot.test(id) && sysfs.number(`block/${id}`, 'size') === 0n) return undefined;
  const directory = sysfs.follow(`block/${id}`) ?? `block/${id}`;
  const attributes: ReadonlySet<string> = new Set(sysfs.entries(directory));
  const values = sysfs.uevent(directory);
  const size = (sysfs.number(directory, 'size') ?? 0n) * 512n;
  const cdrom = isOptical(sysfs, directory, id, attributes);
  const isDisk =
    (size > 0n || cdrom) &&
    values.get('MAJOR') !== '1' && // RAM disks
    !sysfs.flag(directory, 'hidden') &&
    !(attributes.has('dm') && isPrivateLvm(sysfs, directory));
  if (!isDisk) return undefined;
  const secondaries = sysfs.entries(directory, 'slaves');
  const mapping = attributes.has('dm') ? readMapping(sysfs, directory) : undefined;
  const array = attributes.has('md') ? readArray(sysfs, directory) : undefined;
  const sequence = values.get('DISKSEQ');
  const facts: DiskFacts = {
    id,
    ...(sequence !== undefined && { sequence: BigInt(sequence) }),
    devPath: nodePath(values, id),
    size,
    ioSize: ioSize(sysfs, directory),
    sectorSize: Number(sysfs.number(directory, 'queue', 'logical_block_size') ?? 512n),
    readonly: sysfs.flag(directory, 'ro'),
    cdrom,
    rotational: sysfs.flag(directory, 'queue', 'rotational'),
    ...identification(sysfs, directory, id, attributes),
    busPath: busPath(directory),
    subSystem: absolute(sysfs.follow(`${directory}/subsystem`)),
    secondaryDisks: secondaryDisks(sysfs, directory, secondaries),
    ...(mapping && { mapping }),
    ...(array && { array }),
  };
  const identity = [values.get('MAJOR'), values.get('MINOR'), sequence, size, facts.sectorSize];
  return {
    facts,
    identity: identity.join('/'),
    directory,
    number: `${values.get('MAJOR') ?? ''}:${values.get('MINOR') ?? ''}`,
    holders: sysfs.entries(directory, 'holders'),
    secondaries,
  };
}

type Identification = Pick<
  DiskFacts,
  'model' | 'serial' | 'modalias' | 'wwid' | 'uuid' | 'firmwareVersion' | 'transport'
>;

/** Who made the device and which one it is. Only attributes that exist are opened: most devices have few of them. */
function identification(
  sysfs: Sysfs,
  directory: string,
  id: string,
  attributes: ReadonlySet<string>,
): Identification {
  const transport = readTransport(sysfs, id, directory);
  const device = `${directory}/device`;
  const own = (name: string): string => (attributes.has(name) ? (sysfs.text(directory, name) ?? '') : '');
  if (!attributes.has('device')) {
    const nothing = { model: '', modalias: '', firmwareVersion: '' };
    return { ...nothing, serial: own('serial'), wwid: own('wwid'), uuid: own('uuid'), transport };
  }
  return {
    model: sysfs.first(device, ['model']),
    serial:
      own('serial') ||
      sysfs.first(device, ['serial']) ||
      unitSerialNumber(sysfs.bytes(device, 'vpd_pg80')) ||
      (transport === 'usb' ? usbSerial(sysfs, directory) : ''),
    modalias: sysfs.first(device, ['modalias', 'device/modalias']),
    wwid: own('wwid') || sysfs.first(device, ['wwid']) || worldWideName(sysfs.bytes(device, 'vpd_pg83')),
    uuid: own('uuid') || sysfs.first(device, ['uuid']),
    firmwareVersion: transport === 'nvme' ? sysfs.first(device, ['firmware_rev']) : '',
    transport,
  };
}

/** Nobody asks a USB stick for vital product data; the serial stands at the USB device that the disk hangs on. */
function usbSerial(sysfs: Sysfs, directory: string): string {
  let device = posix.dirname(directory);
  while (device.startsWith('devices/') && sysfs.text(device, 'bDeviceClass') === undefined)
    device = posix.dirname(device);
  return sysfs.text(device, 'serial') ?? '';
}

/** sr(4) is the only driver of optical drives; SCSI calls the device type 5. */
function isOptical(sysfs: Sysfs, directory: string, id: string, attributes: ReadonlySet<string>): boolean {
  return /^sr\d/.test(id) || (attributes.has('device') && sysfs.text(directory, 'device', 'type') === '5');
}

/** The device's node, given its directory below `/sys`. */
export function devPath(sysfs: Sysfs, directory: string, id: string): string {
  return nodePath(sysfs.uevent(directory), id);
}

/** The device's node, given the values of its `uevent` attribute. */
export function nodePath(values: ReadonlyMap<string, string>, id: string): string {
  return `/dev/${values.get('DEVNAME') ?? nodeName(id)}`;
}

/** The kernel writes an exclamation mark where the node's name has a slash. */
function nodeName(id: string): string {
  return id.replaceAll('!', '/');
}

/** The first positive power of two among the sizes the device asks for. */
export function ioSize(sysfs: Sysfs, directory: string): number {
  for (const name of ['optimal_io_size', 'minimum_io_size', 'logical_block_size']) {
    const size = sysfs.number(directory, 'queue', name) ?? 0n;
    if (size > 0n && (size & (size - 1n)) === 0n) return Number(size);
  }
  return 512;
}

/** Two levels above the device is the bus: `devices/pci0000:00/0000:00:04.0/virtio1/block/vda`. */
function busPath(directory: string): string {
  const prefix = 'devices';
  return directory.startsWith(`${prefix}/`)
    ? posix.dirname(posix.dirname(directory)).slice(prefix.length)
    : '';
}

function absolute(path: string | undefined): string {
  return path === undefined ? '' : `/sys/${path}`;
}
