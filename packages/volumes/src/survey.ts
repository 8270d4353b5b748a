import { type Disk, type Inventory, partitions } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';

import type { DiskLocks } from './disk-locks.ts';
import type { Candidate } from './facts.ts';
import { fitnessOf } from './fitness.ts';
import type { Intents } from './intents.ts';
import type { Look } from './look.ts';
import type { VolumeSpec } from './spec.ts';

export type Ground = {
  readonly inventory: Inventory;
  readonly systemDisk: string | undefined;
  readonly intents: Intents;
  readonly locks: DiskLocks;
  readonly signal: AbortSignal;
};

/** What a new table costs: its two copies, and the alignment of the first partition. */
const tableOverhead = 2n * 1024n * 1024n;

/** Judges every disk, so that the answer to "why does it wait" is complete. Only disks that match are read. */
export function survey(spec: VolumeSpec, ground: Ground, look: Look): Promise<readonly Candidate[]> {
  return Promise.all(ground.inventory.disks.map((disk) => judge(spec, disk, ground, look)));
}

async function judge(spec: VolumeSpec, disk: Disk, ground: Ground, look: Look): Promise<Candidate> {
  const fitness = fitnessOf(spec, disk, ground);
  if (fitness.mismatch !== undefined) return { disk, ...fitness, free: 0n };
  if (disk.unresponsive === true) return { disk, refusal: 'does not answer', silent: true, free: 0n };
  if (disk.error !== undefined) return { disk, refusal: disk.error, free: 0n };
  // The proof of emptiness opens the disk for itself alone: two at once would see each other, and find it in use.
  const given = new AbortController();
  const reading = ground.locks.run(
    disk.devPath,
    async () => {
      const owner = ground.intents.ownerOf(disk, spec.id);
      return owner === undefined ? await room(spec, disk, look) : { owner, free: 0n };
    },
    AbortSignal.any([ground.signal, given.signal]),
  );
  try {
    return { disk, ...(await look.turn(disk.devPath, reading)) };
  } catch (error) {
    ground.signal.throwIfAborted();
    given.abort(); // its turn is nobody's: the next look asks for another
    return { disk, ...refusalOf(error), free: 0n };
  }
}

async function room(spec: VolumeSpec, disk: Disk, look: Look): Promise<Pick<Candidate, 'free' | 'refusal'>> {
  if (spec.type === 'partition') {
    const table = await look.table(disk.devPath);
    if (table?.damage !== undefined) return { free: 0n, refusal: unequal(table.damage) };
    if (table !== undefined) return { free: partitions.largestFree(table) };
  }
  const reasons = await look.occupied(disk.devPath);
  if (reasons !== undefined) return { free: 0n, refusal: reasons.join(', ') };
  const overhead = spec.type === 'partition' ? tableOverhead : 0n;
  return { free: disk.size > overhead ? disk.size - overhead : 0n };
}

function unequal(damage: readonly string[]): string {
  return `nothing is written to its partition table: ${damage.join(', ')}; compare its copies with sgdisk -v`;
}

function refusalOf(error: unknown): Pick<Candidate, 'refusal' | 'silent'> {
  if (codeOf(error) === 'ERR_VOLUME_NO_ANSWER') return { refusal: 'does not answer', silent: true };
  return { refusal: error instanceof Error ? error.message : String(error) };
}
