const mib = 1n << 20n;

/** Below this ext4 reports more than it gave back, and the calls cost more than the discards. */
export const smallestRange: bigint = 64n * mib;

/** A group of ext4 with blocks of 4 KiB. It remembers a group as trimmed only when one range covers all of it. */
const firstRange = 128n * mib;

/** A free stretch takes a disk that discards a GiB a second no longer than a second. */
const largestRange = 1024n * mib;

/** What a range should take, in milliseconds: an abort waits for one range at most. */
const targetMs = 500;

/**
 * How large the next range is. Ranges grow while they are quick and shrink when one was slow; a length that was slow once is
 * not tried again. One call can't be interrupted, so this is what bounds an abort: to about a second, but for disks that need
 * longer than that for the smallest range.
 */
export class RangeSize {
  #bytes: bigint;
  #ceiling: bigint;

  /** A sixteenth of the whole at most, so that there is progress to show and a chance to stop. */
  constructor(totalBytes: bigint) {
    this.#ceiling = clamp(powerOfTwoBelow(totalBytes / 16n), smallestRange, largestRange);
    this.#bytes = firstRange < this.#ceiling ? firstRange : this.#ceiling;
  }

  get bytes(): bigint {
    return this.#bytes;
  }

  /** Tells how long a range of this length took. */
  took(ms: number): void {
    if (ms > targetMs) {
      this.#ceiling = clamp(this.#bytes / 2n, smallestRange, largestRange);
      this.#bytes = this.#ceiling;
    } else if (ms < targetMs / 4 && this.#bytes < this.#ceiling) {
      this.#bytes *= 2n;
    }
  }
}

function powerOfTwoBelow(bytes: bigint): bigint {
  return bytes <= 0n ? 0n : 1n << BigInt(bytes.toString(2).length - 1);
}

function clamp(value: bigint, smallest: bigint, largest: bigint): bigint {
  if (value < smallest) return smallest;
  return value > largest ? largest : value;
}
