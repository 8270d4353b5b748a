import { shortSize } from '@nodecore/sys/pure';

import type { Terminal } from '../terminal.ts';

const cells = 20;

export type Transferred = {
  readonly bytes: bigint;
  /** Undefined as long as nobody knows. */
  readonly totalBytes?: bigint | undefined;
  readonly bytesPerSecond: number;
  readonly remainingSeconds?: number | undefined;
};

/** How far a file is, as lines: as many as a terminal likes, and ten of them elsewhere. */
export class TransferBar {
  readonly #step: number;
  #mark = '';

  constructor({ error }: Terminal) {
    this.#step = 'isTTY' in error && error.isTTY === true ? 1 : 10;
  }

  /** The line for a new state; undefined when it would say the same. */
  after({ bytes, totalBytes, bytesPerSecond, remainingSeconds }: Transferred): string | undefined {
    const percent =
      totalBytes === undefined || totalBytes === 0n ? undefined : Number((bytes * 100n) / totalBytes);
    const mark =
      percent === undefined
        ? `${bytes / BigInt(this.#step * 10_000_000)}`
        : `${Math.floor(percent / this.#step)}`;
    if (mark === this.#mark) return undefined;
    this.#mark = mark;
    const rate = `${shortSize(BigInt(Math.round(bytesPerSecond)))}/s`;
    if (percent === undefined || totalBytes === undefined) return `${shortSize(bytes)}, ${rate}`;
    const full = Math.min(cells, Math.round((percent * cells) / 100));
    const bar = `[${'#'.repeat(full)}${'.'.repeat(cells - full)}]`;
    const left = remainingSeconds === undefined ? '' : `, ${Math.ceil(remainingSeconds)} s left`;
    return `${bar} ${percent} % of ${shortSize(totalBytes)}, ${rate}${left}`;
  }
}
