import { posix } from 'node:path';

import { linkText, linkTextAsItIs, linkValue } from './names.ts';
import type { Sysfs } from '../facts/sysfs.ts';
import { ataNames, scsiNames, type VitalNames } from './vital-names.ts';

/**
 * The names below `/dev/disk/by-id` that say which disk it is. Partitions add `-part1`.
 *
 * @param directory the disk's own, below the root of sysfs
 */
export function identityNames(sysfs: Sysfs, id: string, directory: string): readonly string[] {
  const text = (...path: readonly string[]): string => sysfs.text(directory, ...path) ?? '';
  if (/^nvme\d+n\d+$/.test(id)) return nvmeNames(text);
  if (/^vd[a-z]+$/.test(id)) return whole('virtio', linkValue(text('serial')));
  if (/^mmcblk\d$/.test(id))
    return whole('mmc', linkValue(text('device', 'name')), linkValue(text('device', 'serial')));
  if (/^sd[a-z]+$/.test(id)) return scsiDiskNames(sysfs, directory);
  return [];
}

type Text = (...path: readonly string[]) => string;

function nvmeNames(text: Text): readonly string[] {
  const [wwid, namespace] = [text('wwid'), text('nsid')];
  const [model, serial] = [text('device', 'model'), text('device', 'serial')];
  const name = model === '' || serial === '' ? '' : linkTextAsItIs(`${model}_${serial}`);
  return [
    ...whole('nvme', linkValue(wwid)),
    ...whole('nvme', name),
    ...(name === '' || namespace === '' ? [] : [`nvme-${name}_${namespace}`]),
  ];
}

function scsiDiskNames(sysfs: Sysfs, directory: string): readonly string[] {
  const device = `${directory}/device`;
  const vendor = sysfs.text(device, 'vendor') ?? '';
  if (vendor === 'ATA') return vitalNames('ata', ataNames(sysfs.bytes(device, 'vpd_pg89')));
  const stick = usbDevice(sysfs, directory);
  const model = sysfs.text(device, 'model') ?? '';
  if (stick !== undefined) return [usbName(sysfs, stick, { vendor, model, directory })];
  const page = (name: string): Uint8Array | undefined => sysfs.bytes(device, name);
  return vitalNames('scsi', scsiNames({ vendor, model }, page('vpd_pg83'), page('vpd_pg80')));
}

function vitalNames(bus: string, names: VitalNames | undefined): readonly string[] {
  if (names === undefined || names.serial === '') return [];
  const { serial, wwn } = names;
  return [`${bus}-${serial}`, ...(wwn === undefined ? [] : [`wwn-${wwn}`])];
}

type UsbDevice = { readonly device: string; readonly interface: string };

/** The USB device and its interface above a disk. */
function usbDevice(sysfs: Sysfs, directory: string): UsbDevice | undefined {
  for (let at = directory; at.startsWith('devices/'); at = posix.dirname(at)) {
    if (sysfs.text(at, 'bInterfaceClass') !== undefined) return { device: posix.dirname(at), interface: at };
  }
  return undefined;
}

type Unit = { readonly vendor: string; readonly model: string; readonly directory: string };

/** Vendor and model of the SCSI unit where the interface speaks SCSI, else of the USB device; its serial; target and unit. */
function usbName(sysfs: Sysfs, stick: UsbDevice, unit: Unit): string {
  const own = (...names: readonly string[]): string => sysfs.first(stick.device, names);
  const subclass = Number(`0x${sysfs.text(stick.interface, 'bInterfaceSubClass') ?? '0'}`);
  const isScsi = subclass === 6 || subclass === 2;
  const vendor = (isScsi && unit.vendor) || own('manufacturer', 'idVendor');
  const model = (isScsi && unit.model) || own('product', 'idProduct');
  const serial = own('serial');
  // What has other characters than a number may have is no serial number (USB Mass Storage, 4.1.1).
  const valid = /^[\x20-\x2b\x2d-\x7f]+$/.test(serial) ? [linkText(serial)] : [];
  const [, target = '0', lun = '0'] = /:(\d+):(\d+)\/block\//.exec(unit.directory) ?? [];
  const instance = isScsi ? `-${target}:${lun}` : '';
  return `usb-${[linkText(vendor), linkText(model), ...valid].join('_')}${instance}`;
}

/** Nothing unless every part is there. */
function whole(bus: string, ...parts: readonly string[]): readonly string[] {
  return parts.includes('') ? [] : [`${bus}-${parts.join('_')}`];
}
