import type { ConstructionMark, Disk, Emptiness, Inventory, PartitionTable } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';
import { type Clock, within } from '@nodecore/waiting';

import { recognise, unrecognised, type Content } from '../facts/content.ts';
import type { Observations } from '../effects.ts';
import { VolumeError } from '../errors.ts';

/** After this long a wait for the turn on a disk probes whether the disk answers at all. */
const turnMs = 30_000;

/** Reads of single devices, of which any may hang. */
export class DeviceReader {
  readonly effects: Observations;
  readonly #clock: Clock;

  constructor(effects: Observations, clock: Clock) {
    this.effects = effects;
    this.#clock = clock;
  }

  table(disk: string): Promise<PartitionTable | undefined> {
    return answered(disk, this.effects.readTable(disk));
  }

  /** What a device holds now; never from a cache. */
  async content(path: string): Promise<Content> {
    const known = recognise(await answered(path, this.effects.probe(path)));
    return known ?? unrecognised(await answered(path, this.effects.emptiness(path)));
  }

  /** What is recognised on a device that may be in use; it is opened without exclusive access. */
  async recognised(path: string): Promise<Content> {
    const known = recognise(await answered(path, this.effects.probe(path)));
    return known ?? { kind: 'unknown', reasons: ['nothing on it is recognised'] };
  }

  /** Whether a device carries the mark of an attempt to make something on it. */
  isMarked(path: string, mark: ConstructionMark): Promise<boolean> {
    return answered(path, this.effects.isMarked(path, mark));
  }

  /** Why a disk is not to be erased: who uses it. */
  async usedBecause({ devPath, sequence }: Disk): Promise<string | undefined> {
    try {
      await this.effects.requireUnused(devPath, { sequence });
      return undefined;
    } catch (error) {
      if (codeOf(error) === 'ERR_BLOCK_UNRESPONSIVE') throw noAnswer(devPath);
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** The proof that a disk is empty, or the reasons why it is not. */
  proof(path: string): Promise<Emptiness> {
    return answered(path, this.effects.emptiness(path));
  }

  /** Undefined when the disk is proven empty, else the reasons why it is not. */
  async occupied(path: string): Promise<readonly string[] | undefined> {
    const proof = await this.proof(path);
    return proof.empty ? undefined : proof.reasons;
  }

  /** The same of what a wipe leaves, which is about both ends and signatures: old data in between stays, and has no owner. */
  async leftBehind(path: string): Promise<readonly string[] | undefined> {
    const proof = await answered(path, this.effects.emptiness(path, { wiped: true }));
    return proof.empty ? undefined : proof.reasons;
  }

  /**
   * Waits for `reading`, which may queue behind a change of the same disk. Probes the disk every 30 s, and gives up when it
   * stops answering.
   */
  async turn<T>(disk: string, reading: Promise<T>): Promise<T> {
    for (;;) {
      const answer = await within(this.#clock, turnMs, reading);
      if (answer !== undefined) return answer.value;
      try {
        await this.recognised(disk);
      } catch (error) {
        if (codeOf(error) === 'ERR_VOLUME_NO_ANSWER') throw error;
      }
    }
  }
}

/** The effects know who hangs; a device that owes an answer is refused by them at once. */
async function answered<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw codeOf(error) === 'ERR_BLOCK_UNRESPONSIVE' ? noAnswer(path) : error;
  }
}

function noAnswer(path: string): VolumeError {
  return new VolumeError('ERR_VOLUME_NO_ANSWER', path, `${path} does not answer`, 'transient');
}

/** Disks that can be asked at all. */
export function answering(inventory: Inventory): readonly Disk[] {
  return inventory.disks.filter(
    (disk) => disk.unresponsive !== true && disk.error === undefined && !disk.cdrom,
  );
}
