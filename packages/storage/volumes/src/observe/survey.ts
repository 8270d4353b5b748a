import type { Disk, Inventory } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';
import type { KeyedLock } from '@nodecore/waiting';

import { roomOn } from './disk-room.ts';
import type { Candidate } from '../facts/facts.ts';
import { fitnessOf } from './fitness.ts';
import type { Intents } from '../intents/intents.ts';
import type { DeviceReader } from './device-reader.ts';
import type { VolumeSpec } from '../spec.ts';

/** What a survey sees beside the disks, and what it is bounded by. */
export type SurveyContext = {
  readonly inventory: Inventory;
  readonly systemDisk: string | undefined;
  readonly intents: Intents;
  readonly locks: KeyedLock;
  readonly signal: AbortSignal;
};

/** Judges every disk, so that the answer to "why does it wait" is complete. Only disks that match are read. */
export function survey(
  spec: VolumeSpec,
  ground: SurveyContext,
  reader: DeviceReader,
): Promise<readonly Candidate[]> {
  return Promise.all(ground.inventory.disks.map((disk) => judge(spec, disk, ground, reader)));
}

async function judge(
  spec: VolumeSpec,
  disk: Disk,
  ground: SurveyContext,
  reader: DeviceReader,
): Promise<Candidate> {
  const fitness = fitnessOf(spec, disk, ground);
  if (fitness.mismatch !== undefined) return { disk, ...fitness, free: 0n };
  if (disk.unresponsive === true) return { disk, refusal: 'does not answer', silent: true, free: 0n };
  if (disk.error !== undefined) return { disk, refusal: disk.error, free: 0n };
  // The proof of emptiness opens the disk for itself alone: two at once would see each other, and find it in use.
  const given = new AbortController();
  const reading = ground.locks.run(
    [disk.devPath],
    async () => {
      const owner = ground.intents.ownerOf(disk, spec.id);
      return owner === undefined ? await roomOn(spec, disk, ground, reader) : { owner, free: 0n };
    },
    AbortSignal.any([ground.signal, given.signal]),
  );
  try {
    return { disk, ...(await reader.turn(disk.devPath, reading)) };
  } catch (error) {
    ground.signal.throwIfAborted();
    given.abort(); // its turn is nobody's: the next look asks for another
    return { disk, ...refusalOf(error), free: 0n };
  }
}

function refusalOf(error: unknown): Pick<Candidate, 'refusal' | 'silent'> {
  if (codeOf(error) === 'ERR_VOLUME_NO_ANSWER') return { refusal: 'does not answer', silent: true };
  return { refusal: error instanceof Error ? error.message : String(error) };
}
