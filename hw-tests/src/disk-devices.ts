import { type DiskSpec, hasSerial } from '@nodecore/machine';

import { RigError } from './errors.ts';
import type { Runner } from './runner.ts';

/**
 * One line per disk, `name serial`. NVMe and virtio publish the serial as it is; SCSI's stands behind the four-byte
 * header of vital product data page 0x80, and a USB stick's at the USB device.
 */
const listing = `
cd /sys/block
for name in *; do
  for file in "$name/serial" "$name/device/serial" "$name/device/vpd_pg80"; do
    [ -e "$file" ] || continue
    case "$file" in
      */vpd_pg80) serial=$(tail -c +5 "$file") ;;
      *) serial=$(cat "$file") ;;
    esac
    echo "$name" $serial
  done
  usb=$(readlink -f "$name/device")
  while [ "\${usb#/sys/devices/}" != "$usb" ]; do
    [ -e "$usb/bDeviceClass" ] && echo "$name" $(cat "$usb/serial")
    usb=\${usb%/*}
  done
done`;

/**
 * Where each of these disks is inside a machine. Names depend on the order in which drivers find their devices,
 * serials don't. Asks again until every disk is there: discovery goes on after the first process has started.
 */
export async function findDevices(
  machine: Runner,
  disks: readonly DiskSpec[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  for (;;) {
    const { stdout } = await machine.run(['/run/rig/busybox', 'sh', '-c', listing], { cwd: '/', signal });
    const found = new Map<string, string>();
    for (const line of stdout.toString('latin1').split('\n')) {
      const [name, serial] = line.split(' ');
      if (name === undefined || name === '' || serial === undefined) continue;
      const known = disks.find((disk) => disk.serial === serial);
      if (known !== undefined) found.set(serial, `/dev/${name}`);
      const card = disks.find((disk) => !hasSerial(disk));
      if (card !== undefined && name.startsWith('mmcblk')) found.set(card.serial, `/dev/${name}`);
    }
    if (disks.every((disk) => found.has(disk.serial))) return found;
    if (signal.aborted) {
      const missing = disks.filter((disk) => !found.has(disk.serial)).map((disk) => disk.serial);
      throw new RigError('ERR_RIG_DISK', machine.name, `no disk with serial ${missing.join(', ')}`);
    }
  }
}
