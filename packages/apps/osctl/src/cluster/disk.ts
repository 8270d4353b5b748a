import { print, printFound, readFormat, shortSize, Table, type Terminal, UsageError } from '@nodecore/cli';
import {
  changeClusterDisk,
  type ClusterDisk,
  type DiskChange,
  disksOf,
  parseBytes,
  readDisks,
} from '@nodecore/clusters';

import { cacheOf, directoryOf, type PlaceFlags } from './place.ts';

/** The flags of `osctl cluster disk …`. */
export type DiskFlags = PlaceFlags & { readonly output: string };

/** Prints the disks of a cluster's machines, or of one. */
export async function listDisks(
  machine: string | undefined,
  flags: DiskFlags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const found = await disksOf(directoryOf(flags, terminal), machine);
  await printFound(terminal, format, found, { single: false, text: () => textOf(found) });
}

/** Puts a new disk into a machine, or one again that was taken out of it. */
export async function attach(
  machine: string,
  text: string,
  flags: DiskFlags,
  terminal: Terminal,
): Promise<void> {
  const problems: string[] = [];
  const [disk, ...more] = readDisks([text], problems);
  if (problems.length > 0 || disk === undefined || more.length > 0)
    throw new UsageError(problems.join('; ').replaceAll('--disks ', ''));
  await change(machine, { action: 'attach', disk }, flags, terminal);
}

/** Takes a disk out of a machine; what is on it stays. */
export async function detach(
  machine: string,
  serial: string,
  flags: DiskFlags,
  terminal: Terminal,
): Promise<void> {
  await change(machine, { action: 'detach', serial }, flags, terminal);
}

/** Makes a disk of a machine larger. */
export async function resize(
  machine: string,
  serial: string,
  size: string,
  flags: DiskFlags,
  terminal: Terminal,
): Promise<void> {
  const sizeBytes = parseBytes(size);
  if (sizeBytes === undefined || sizeBytes % 512 !== 0 || sizeBytes === 0)
    throw new UsageError(`${size}: a size such as 20GiB`);
  await change(machine, { action: 'resize', serial, sizeBytes }, flags, terminal);
}

async function change(
  machine: string,
  wanted: DiskChange,
  flags: DiskFlags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output); // before anything is changed
  const options = { signal: terminal.signal };
  const disk = await changeClusterDisk(
    directoryOf(flags, terminal),
    cacheOf(terminal),
    machine,
    wanted,
    options,
  );
  const size = shortSize(BigInt(disk.sizeBytes));
  const words = { attach: 'attached', detach: 'detached, its file stays', resize: size }[wanted.action];
  await print(terminal.error, `${disk.machine}: disk ${disk.serial} ${words}\n`);
  await printFound(terminal, format, [disk], { single: true, text: () => '' });
}

function textOf(disks: readonly ClusterDisk[]): string {
  return new Table(['machine', 'serial', 'driver', 'size', 'origin']).format(
    disks.map(({ machine, serial, driver, sizeBytes, isPlanned }) => [
      machine,
      serial,
      driver,
      shortSize(BigInt(sizeBytes)),
      isPlanned ? 'planned' : 'attached',
    ]),
  );
}
