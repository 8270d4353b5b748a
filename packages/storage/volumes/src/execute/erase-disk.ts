import type { Disk } from '@nodecore/block';

import { roomOn } from '../observe/disk-room.ts';
import type { Work } from '../work.ts';

/**
 * Erases what is on a disk, as the volume's document wishes; the caller has the disk's lock. All is asked again: another
 * volume may have come upon the disk meanwhile, or the document lost its wish. Nothing says that it was begun, because
 * nothing need be known of it: what a crash leaves is on the disk still, and is erased again, or the disk is empty.
 *
 * @returns what was on it; undefined when nothing had to be erased.
 */
export async function eraseFor(work: Work, disk: Disk): Promise<string | undefined> {
  const { spec, effects, inventory, reader, facts, signal, tell } = work;
  const { erase } = await roomOn(spec, disk, { inventory, systemDisk: facts.systemDisk }, reader);
  if (erase === undefined) return undefined;
  tell(`erase ${disk.id}`);
  await effects.wipeContent(disk.devPath, { method: 'fast', sequence: disk.sequence, signal });
  return erase;
}
