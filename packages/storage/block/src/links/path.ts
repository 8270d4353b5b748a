import { posix } from 'node:path';

import { hasNamedPort, namedPort } from './scsi-port.ts';
import type { Sysfs } from '../facts/sysfs.ts';

/** The names below `/dev/disk/by-path`: how a disk is plugged in. Partitions add `-part1`. */
export function pathNames(sysfs: Sysfs, id: string, directory: string): readonly string[] {
  if (directory.includes('/virtual/')) return [];
  const unit = sysfs.follow(`${directory}/device`) ?? '';
  const isNamed = hasNamedPort(unit);
  const port = isNamed ? namedPort(sysfs, unit) : undefined;
  if (isNamed && port === undefined) return [];
  const parts: string[] = [];
  let [hasTransport, hasParent] = [false, isNamed]; // a named port needs nothing above it: iSCSI may have nothing there
  let above = '';
  for (let at = posix.dirname(directory); at.startsWith('devices/'); at = posix.dirname(at)) {
    const subsystem = posix.basename(sysfs.follow(`${at}/subsystem`) ?? '');
    if (subsystem === '') continue;
    const isFirst = subsystem !== above; // of several levels of one bus the lowest says it all
    above = subsystem;
    if (!isFirst) continue;
    const part = at === unit && isNamed ? port : partOf(sysfs, subsystem, { at, directory });
    if (part !== undefined) parts.unshift(part);
    hasTransport ||= transports.has(subsystem);
    hasParent ||= parents.has(subsystem);
  }
  if (!hasTransport || !hasParent) return [];
  const path = parts.join('-');
  const old = /^(.*-ata-\d+)[.\d]+$/.exec(path)?.[1]; // as it was before master and slave were told apart
  const virtio = id.startsWith('vd') && path.startsWith('pci-') ? [`virtio-${path}`] : [];
  return [path, ...(old === undefined ? [] : [old]), ...virtio];
}

const transports: ReadonlySet<string> = new Set(['scsi', 'usb', 'virtio', 'nvme', 'platform']);
const parents: ReadonlySet<string> = new Set(['pci', 'platform', 'acpi', 'xen', 'nvme']);

type Step = { readonly at: string; readonly directory: string };

function partOf(sysfs: Sysfs, subsystem: string, { at, directory }: Step): string | undefined {
  const name = posix.basename(at);
  switch (subsystem) {
    case 'scsi':
      return scsiPart(sysfs, at);
    case 'usb':
      return `usb-0:${name.slice(name.indexOf('-') + 1)}`;
    case 'nvme':
      return `nvme-${sysfs.text(directory, 'nsid') ?? ''}`;
    case 'pci':
    case 'platform':
    case 'acpi':
    case 'xen':
      return `${subsystem}-${name}`;
    default:
      return undefined;
  }
}

function scsiPart(sysfs: Sysfs, at: string): string | undefined {
  const [, host = '', bus = '', target = '', lun = ''] = /\/(\d+):(\d+):(\d+):(\d+)$/.exec(at) ?? [];
  const hostDirectory = at.split('/').findIndex((name) => name === `host${host}`);
  if (host === '' || hostDirectory < 0) return undefined;
  const adapter = at.split('/').slice(0, hostDirectory).join('/');
  const port = /\/(ata\d+)$/.exec(adapter)?.[1];
  if (port !== undefined) {
    const number = sysfs.text(adapter, 'ata_port', port, 'port_no') ?? '';
    return bus === '0' ? `ata-${number}.${target}` : `ata-${number}.${bus}.0`;
  }
  // Numbers of hosts count over the whole machine; here only those of this adapter do.
  const hosts = sysfs.entries(adapter).flatMap((name) => /^host(\d+)$/.exec(name)?.[1] ?? []);
  const first = Math.min(...hosts.map(Number));
  return `scsi-${Number(host) - first}:${bus}:${target}:${lun}`;
}
