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

/** The size of a disk that is asked for: an SD card has the next power of two, as there are no others. */
export function roundedBytes(driver: DiskDriver, sizeBytes: number): number {
  return driver === 'mmc' ? 2 ** Math.ceil(Math.log2(sizeBytes)) : sizeBytes;
}

/** Directories of this computer that machines mount by their tags. */
export type ShareRequest = {
  readonly tags: readonly string[];
  /** Default workers alone. */
  readonly isForAll?: boolean;
};

/** What is no disk: a directory of this computer, which the machine mounts by its tag. Its size is nobody's limit. */
export const shareDriver = 'virtiofs';

/** Whether a text can be the tag of a directory. */
export function isTag(text: string): boolean {
  return /^[A-Za-z0-9-]{1,36}$/.test(text);
}

function isShare(text: string): boolean {
  return text.split(':')[0] === shareDriver;
}

/** Tags of directories from `virtiofs:size:tag=…`, and the texts of the disks; what is wrong with one goes to `problems`. */
export function readShares(
  texts: readonly string[],
  problems: string[],
): { readonly tags: readonly string[]; readonly disks: readonly string[] } {
  const tags: string[] = [];
  for (const text of texts.filter(isShare)) {
    const [, size = '', ...options] = text.split(':');
    const tag = /^tag=(.*)$/.exec(options.join(':'))?.[1];
    if (parseBytes(size) === undefined) problems.push(`--disks ${text}: size "${size}"`);
    if (tag === undefined || !isTag(tag))
      problems.push(`--disks ${text}: tag=…, at most 36 letters, digits and dashes`);
    else if (tags.includes(tag)) problems.push(`--disks ${text}: two have the tag ${tag}`);
    else tags.push(tag);
  }
  return { tags, disks: texts.filter((text) => !isShare(text)) };
}

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
    return [
      { driver: known, sizeBytes: roundedBytes(known, sizeBytes), ...(serial !== undefined && { serial }) },
    ];
  });
}
