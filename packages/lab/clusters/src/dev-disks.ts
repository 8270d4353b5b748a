import type { DiskDriver } from '@nodecore/machine';

import { type DiskRequest, drivers, isTag, roundedBytes, shareDriver } from './disks.ts';
import { count } from './request.ts';

/** Flags of the disks that all machines of a developer have. */
export type PrimaryDiskFlags = {
  /** MiB of each. */
  readonly disk: string;
  readonly primaryDisks: string;
  readonly diskDriver: string;
  readonly diskBlockSize: string;
};

/** Flags of the disks that workers have besides. */
export type ExtraDiskFlags = {
  readonly extraDisks: string;
  readonly extraDisksSize: string;
  readonly extraDisksDrivers: readonly string[];
  readonly extraDisksSerials: readonly string[];
  readonly extraDisksTags: readonly string[];
};

/** Disks, and tags of directories of this computer (virtiofs). */
export type ExtraDisks = { readonly disks: readonly DiskRequest[]; readonly shares: readonly string[] };

const mib = 2 ** 20;
const wideSectors: readonly string[] = ['virtio', 'scsi', 'nvme', 'megaraid'];

/** Equal disks, from flags; what is wrong with them goes to `problems`. */
export function primaryDisks(flags: PrimaryDiskFlags, problems: string[]): readonly DiskRequest[] {
  const number = count('--primary-disks', flags.primaryDisks, 1, problems);
  const size = mebibytes('--disk', flags.disk, problems);
  const driver = driverOf('--disk-driver', flags.diskDriver, problems);
  const sectors = Number(flags.diskBlockSize);
  if (sectors !== 512 && sectors !== 4096)
    problems.push(`--disk-block-size ${flags.diskBlockSize}: 512 or 4096`);
  else if (sectors === 4096 && !wideSectors.includes(driver))
    problems.push(
      `--disk-block-size 4096: ${driver} has sectors of 512 bytes; ${wideSectors.join(', ')} can have others`,
    );
  const disk = {
    driver,
    sizeBytes: roundedBytes(driver, size),
    ...(sectors === 4096 && { sectorSize: 4096 as const }),
  };
  return Array.from({ length: number }, () => disk);
}

/** The n-th has the n-th driver, serial and tag; more of those than disks are a mistake. What is wrong goes to `problems`. */
export function extraDisks(flags: ExtraDiskFlags, problems: string[]): ExtraDisks {
  const number = count('--extra-disks', flags.extraDisks, 0, problems);
  const sizeBytes = mebibytes('--extra-disks-size', flags.extraDisksSize, problems);
  for (const [flag, values] of [
    ['--extra-disks-drivers', flags.extraDisksDrivers],
    ['--extra-disks-serials', flags.extraDisksSerials],
    ['--extra-disks-tags', flags.extraDisksTags],
  ] as const)
    if (values.length > number) problems.push(`${flag}: ${values.length} for ${number} extra disks`);
  const disks: DiskRequest[] = [];
  const shares: string[] = [];
  for (let index = 0; index < number; index += 1) {
    const serial = flags.extraDisksSerials[index] || undefined;
    const tag = flags.extraDisksTags[index] || undefined;
    const driver = flags.extraDisksDrivers[index] ?? 'ide';
    if (driver === shareDriver) {
      if (serial !== undefined) problems.push(`--extra-disks-serials ${serial}: ${shareDriver} has a tag`);
      shares.push(readTag(tag ?? `disk${index}`, shares, problems));
      continue;
    }
    if (tag !== undefined) problems.push(`--extra-disks-tags ${tag}: ${driver} has a serial`);
    if (serial !== undefined && !/^[A-Za-z0-9-]{1,20}$/.test(serial))
      problems.push(`--extra-disks-serials ${serial}: at most 20 letters, digits and dashes`);
    const known = driverOf('--extra-disks-drivers', driver, problems, [shareDriver]);
    disks.push({
      driver: known,
      sizeBytes: roundedBytes(known, sizeBytes),
      ...(serial !== undefined && { serial }),
    });
  }
  return { disks, shares };
}

function readTag(tag: string, others: readonly string[], problems: string[]): string {
  if (!isTag(tag)) problems.push(`--extra-disks-tags ${tag}: at most 36 letters, digits and dashes`);
  if (others.includes(tag)) problems.push(`--extra-disks-tags ${tag}: two have it`);
  return tag;
}

function mebibytes(flag: string, text: string, problems: string[]): number {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= 1) return number * mib;
  problems.push(`${flag} ${text}: MiB`);
  return mib;
}

function driverOf(flag: string, text: string, problems: string[], more: readonly string[] = []): DiskDriver {
  const driver = drivers.find((each) => each === text);
  if (driver === undefined)
    problems.push(`${flag}: driver "${text}" is none of ${[...drivers, ...more].join(', ')}`);
  return driver ?? 'virtio';
}
