import { posix } from 'node:path';

import { linkValue } from './names.ts';
import type { Sysfs } from '../facts/sysfs.ts';

/** Whether a SCSI device is reached through a port with a name of its own: of fibre channel, SAS or iSCSI. */
export function hasNamedPort(unit: string): boolean {
  return kindOf(unit) !== undefined;
}

/** The kernel's transport classes are no bus: only names in the way tell of them. */
function kindOf(unit: string): ((sysfs: Sysfs, unit: string) => string | undefined) | undefined {
  if (unit.includes('/rport-')) return fibreChannel;
  if (unit.includes('/end_device-')) return sas;
  return unit.includes('/session') ? iscsi : undefined;
}

/**
 * What `by-path` says of a device behind a named port: which port it is, and the unit there. Undefined when the kernel does not
 * tell.
 *
 * @param unit the SCSI device's own directory, below the root of sysfs
 */
export function namedPort(sysfs: Sysfs, unit: string): string | undefined {
  const lun = lunOf(unit);
  const port = kindOf(unit)?.(sysfs, unit);
  return port === undefined || lun === undefined ? undefined : linkValue(`${port}-${lun}`);
}

/** A unit by its number; one that is addressed otherwise by the first two words of its address, as the kernel exchanges them. */
function lunOf(unit: string): string | undefined {
  const number = /\/\d+:\d+:\d+:(\d+)$/.exec(unit)?.[1];
  if (number === undefined) return undefined;
  const lun = BigInt(number);
  if (lun < 256n) return `lun-${lun}`;
  return `lun-0x${word(lun)}${word(lun >> 16n)}00000000`;
}

function word(value: bigint): string {
  return (value & 0xffffn).toString(16).padStart(4, '0');
}

/** The world-wide name of the port at the other end. */
function fibreChannel(sysfs: Sysfs, unit: string): string | undefined {
  const target = posix.basename(posix.dirname(unit));
  const name = sysfs.text('class', 'fc_transport', target, 'port_name');
  return name === undefined ? undefined : `fc-${name}`;
}

/**
 * The phy that an end device is on, of the host or of an expander. What is connected by several phys at once has its own
 * address instead.
 */
function sas(sysfs: Sysfs, unit: string): string | undefined {
  const device = posix.dirname(posix.dirname(unit));
  const port = posix.dirname(device);
  const of = (path: string, name: string): string | undefined =>
    sysfs.text('class', 'sas_device', posix.basename(path), name);
  const phys = sysfs.text('class', 'sas_port', posix.basename(port), 'num_phys');
  if (phys === undefined) return undefined;
  if (phys !== '1') {
    const address = of(device, 'sas_address');
    return address === undefined ? undefined : `sas-${address}`;
  }
  const phy = of(device, 'phy_identifier');
  if (phy === undefined) return undefined;
  const expander = of(posix.dirname(port), 'sas_address');
  return expander === undefined ? `sas-phy${phy}` : `sas-exp${expander}-phy${phy}`;
}

/** The portal that the session was opened to, and the target behind it. */
function iscsi(sysfs: Sysfs, unit: string): string | undefined {
  const session = unit.split('/').findLast((name) => name.startsWith('session')) ?? '';
  const number = /\d+$/.exec(session)?.[0];
  const target = sysfs.text('class', 'iscsi_session', session, 'targetname');
  const of = (name: string): string | undefined =>
    sysfs.text('class', 'iscsi_connection', `connection${number}:0`, name);
  const [address, port] = [of('persistent_address'), of('persistent_port')];
  if (target === undefined || address === undefined || port === undefined) return undefined;
  return `ip-${address}:${port}-iscsi-${target}`;
}
