import type { Disk, Inventory, PartitionTable } from '@nodecore/block';
import { type Clock, codeOf, within } from '@nodecore/sys';

import { recognise, unrecognised, type Content } from './content.ts';
import type { Observations } from './effects.ts';
import { VolumeError } from './errors.ts';

/** Nothing that a healthy disk does takes this long for a few sectors. */
const deadlineMs = 10_000;

/** Reads of single devices, each with a deadline, so that one hung disk costs the others nothing. */
export class Look {
  readonly effects: Observations;
  readonly #clock: Clock;
  /** Devices that owe an answer. */
  readonly #silent = new Set<string>();

  constructor(effects: Observations, clock: Clock) {
    this.effects = effects;
    this.#clock = clock;
  }

  table(disk: string): Promise<PartitionTable | undefined> {
    return this.#read(disk, () => this.effects.readTable(disk));
  }

  /** What a device holds now; never from a cache. */
  content(path: string): Promise<Content> {
    return this.#read(path, async () => {
      const known = recognise(await this.effects.probe(path));
      return known ?? unrecognised(await this.effects.emptiness(path));
    });
  }

  /** What is recognised on a device that may be in use; nobody is kept from it. */
  recognised(path: string): Promise<Content> {
    return this.#read(path, async () => {
      const known = recognise(await this.effects.probe(path));
      return known ?? { kind: 'unknown', reasons: ['nothing on it is recognised'] };
    });
  }

  /** Undefined when the disk is proven empty, else the reasons why it is not. */
  async occupied(path: string): Promise<readonly string[] | undefined> {
    const proof = await this.#read(path, () => this.effects.emptiness(path));
    return proof.empty ? undefined : proof.reasons;
  }

  /**
   * Waits for what includes the turn on a disk, for as long as the disk answers: whoever changes it may take long. One that
   * hangs in a change has others wait for ever.
   */
  async turn<T>(disk: string, reading: Promise<T>): Promise<T> {
    for (;;) {
      const answer = await within(this.#clock, 3 * deadlineMs, reading);
      if (answer !== undefined) return answer.value;
      try {
        await this.recognised(disk);
      } catch (error) {
        if (codeOf(error) === 'ERR_VOLUME_NO_ANSWER') throw error;
      }
    }
  }

  /** A device that owes an answer is not asked again: each read would wait for its deadline and tie up a thread. */
  async #read<T>(path: string, read: () => Promise<T>): Promise<T> {
    if (this.#silent.has(path)) throw noAnswer(path);
    const reading = read();
    const answer = await within(this.#clock, deadlineMs, reading);
    if (answer !== undefined) return answer.value;
    this.#silent.add(path);
    const forgive = (): void => void this.#silent.delete(path);
    reading.then(forgive, forgive);
    throw noAnswer(path);
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
