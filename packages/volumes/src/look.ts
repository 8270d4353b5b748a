import type { Disk, Inventory, PartitionTable } from '@nodecore/block';
import type { Clock } from '@nodecore/sys';

import { recognise, unrecognised, type Content } from './content.ts';
import { within } from './deadline.ts';
import type { Observations } from './effects.ts';

/** Nothing that a healthy disk does takes this long for a few sectors. */
const deadlineMs = 10_000;

/** Reads of single devices, each with a deadline, so that one hung disk costs the others nothing. */
export class Look {
  readonly effects: Observations;
  readonly #clock: Clock;

  constructor(effects: Observations, clock: Clock) {
    this.effects = effects;
    this.#clock = clock;
  }

  table(disk: string): Promise<PartitionTable | undefined> {
    return within(this.#clock, deadlineMs, disk, () => this.effects.readTable(disk));
  }

  /** What a device holds now; never from a cache. */
  content(path: string): Promise<Content> {
    return within(this.#clock, deadlineMs, path, async () => {
      const known = recognise(await this.effects.probe(path));
      return known ?? unrecognised(await this.effects.emptiness(path));
    });
  }

  /** Undefined when the disk is proven empty, else the reasons why it is not. */
  async occupied(path: string): Promise<readonly string[] | undefined> {
    const proof = await within(this.#clock, deadlineMs, path, () => this.effects.emptiness(path));
    return proof.empty ? undefined : proof.reasons;
  }
}

/** Disks that can be asked at all. */
export function answering(inventory: Inventory): readonly Disk[] {
  return inventory.disks.filter(
    (disk) => disk.unresponsive !== true && disk.error === undefined && !disk.cdrom,
  );
}

/** Bytes of the largest range that a new partition can take. */
export function largestFree({ free }: PartitionTable): bigint {
  return free.reduce((largest, range) => (range.size > largest ? range.size : largest), 0n);
}
