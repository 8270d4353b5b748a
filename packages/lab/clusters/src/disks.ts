import type { DiskDriver } from '@nodecore/machine';

import { parseBytes } from './units.ts';

/** A disk as it is asked for. */
export type DiskRequest = {
  readonly driver: DiskDriver;
  readonly sizeBytes: number;
  readonly serial?: string;
  /** Default 512. */
  readonly sectorSize?: 512 | 4096;
};

/** What a disk may be attached by. */
export const drivers: readonly DiskDriver[] = [
  'virtio',
  'nvme',
  'scsi',
  'ahci',
  'ide',
  'usb',
  'megaraid',
  'mmc',
];

/** Disks from `driver:size[:serial=…]`; what is wrong with one goes to `problems`. */
export function readDisks(texts: readonly string[], problems: string[]): readonly DiskRequest[] {
  return texts.flatMap((text) => {
    const [driver = '', size = '', ...options] = text.split(':');
    const known = drivers.find((each) => each === driver);
    const sizeBytes = parseBytes(size);
    const before = problems.length;
    if (known === undefined)
      problems.push(`--disks ${text}: driver "${driver}" is none of ${drivers.join(', ')}`);
    if (sizeBytes === undefined || sizeBytes < 1 << 20) problems.push(`--disks ${text}: size "${size}"`);
    let serial: string | undefined;
    for (const option of options) {
      serial = /^serial=([A-Za-z0-9-]{1,20})$/.exec(option)?.[1];
      if (serial === undefined) problems.push(`--disks ${text}: option "${option}"; there is serial=…`);
    }
    if (problems.length > before || known === undefined || sizeBytes === undefined) return [];
    return [{ driver: known, sizeBytes, ...(serial !== undefined && { serial }) }];
  });
}
