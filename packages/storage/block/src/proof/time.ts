import type { Clock } from '@nodecore/waiting';

import type { DeviceFile } from '../devices/device-file.ts';

const solidMs = 1000;
const turningMs = 15_000;
let slowestMs = 0;

/**
 * Lets every proof of this process take so long at least. For machines that are slower than their disks: an emulated processor
 * takes seconds for what it reads from a fast one.
 */
export function allowSlowProofs(limitMs: number): void {
  slowestMs = limitMs;
}

/** How long a proof may take: a disk that turns needs some 8 ms to get to each place. */
export function proofLimitMs({ kernel, sysfs }: DeviceFile): number {
  const turns = kernel !== undefined && sysfs.flag('block', kernel.diskId, 'queue', 'rotational');
  return Math.max(turns ? turningMs : solidMs, slowestMs);
}

/** The time of one proof. A step that would not end in time, going by the one before, is not begun. */
export class ProofTime {
  readonly limitMs: number;
  readonly begunAt: number;
  readonly #clock: Clock;
  #lastMs = 0;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.limitMs = limitMs;
    this.begunAt = clock.now();
  }

  get tookMs(): number {
    return this.#clock.now() - this.begunAt;
  }

  get isOver(): boolean {
    return this.tookMs + this.#lastMs > this.limitMs;
  }

  async step<T>(run: () => Promise<T>): Promise<T> {
    const begun = this.#clock.now();
    try {
      return await run();
    } finally {
      this.#lastMs = this.#clock.now() - begun;
    }
  }
}
