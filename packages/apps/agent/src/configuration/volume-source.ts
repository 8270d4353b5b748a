import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { type Inventory, mounts } from '@nodecore/block';

/** What media with a configuration have. */
const filesystems: ReadonlySet<string> = new Set(['iso9660', 'vfat']);

/** Where such media are mounted for a moment. */
const target = '/run/nodeos/medium';

/** How a medium is read; others in tests. */
export type Mounting = Pick<typeof mounts, 'mount' | 'unmount' | 'list'>;

/**
 * A file of the one filesystem with a label, which is mounted meanwhile, so that nothing of it is run and nothing is written.
 *
 * @returns undefined when there is no such filesystem. @throws {Error} when there are several, and for a file that is not there.
 */
export async function readFromVolume(
  inventory: Pick<Inventory, 'volumes'>,
  label: string,
  file: string,
  longestBytes: number,
  mounting: Mounting = mounts,
): Promise<Uint8Array | undefined> {
  const found = inventory.volumes.filter(
    (volume) => volume.label.toLowerCase() === label && filesystems.has(volume.name),
  );
  const [one, ...others] = found;
  if (one === undefined) return undefined;
  if (others.length > 0)
    throw new Error(`${found.map(({ id }) => id).join(' and ')} are called ${label}: there may be one`);
  if ((await mounting.list()).some((mount) => mount.target === target)) await mounting.unmount(target); // of a killed agent
  const options = { readOnly: true, nosuid: true, nodev: true, noexec: true };
  await mounting.mount({ source: one.devPath, target, type: one.name, options });
  try {
    return await readPlain(join(target, file), longestBytes);
  } finally {
    await mounting.unmount(target);
  }
}

/** A regular file: a link of a medium may lead to anything of the machine. */
async function readPlain(path: string, longestBytes: number): Promise<Uint8Array> {
  await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const facts = await handle.stat();
  if (!facts.isFile() || facts.size > longestBytes)
    throw new Error(`${path} is no file of at most ${longestBytes} bytes`);
  return await handle.readFile();
}
