import { statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { makeDirectory } from '@nodecore/sys';

import { CapturesError } from './errors.ts';
import type { FilePlan } from './plan.ts';

/** Left free for what the node itself has to remember. */
const reserveBytes = 64n << 20n;
/** A file that could only be smaller is not begun. */
const minBytes = 1n << 20n;

/** Where a capture may write, until it is disposed of. */
export type Place = Disposable & {
  readonly path: string;
  /** All files of the capture together. */
  readonly maxBytes: bigint;
};

export type Space = (path: string) => Promise<{ readonly freeBytes: bigint; readonly sizeBytes: bigint }>;

/**
 * The directory for captures on the node, made for its owner only. It is on the disk with the node's state: captures get
 * what is free there beyond a reserve, and running ones don't get the same bytes twice.
 */
export class CaptureDirectory {
  readonly #locate: () => Promise<string>;
  readonly #space: Space;
  #promised = 0n;

  /** @param locate the directory, which need not be there; rejects while the node has no state. */
  constructor(locate: () => Promise<string>, space: Space = spaceOf) {
    this.#locate = locate;
    this.#space = space;
  }

  /** Where it is; it is made when the first capture needs it. */
  async path(): Promise<string> {
    return await this.#locate();
  }

  /**
   * @param bytes asked for; 0: all the room that is free.
   * @throws {CapturesError} `ERR_CAPTURES_SPACE`
   */
  async place({ name, nextBytes, keep }: FilePlan, bytes: bigint): Promise<Place> {
    const directory = await this.#locate();
    await makeDirectory(directory);
    const { freeBytes, sizeBytes } = await this.#space(directory);
    const tenth = sizeBytes / 10n;
    const room = freeBytes - (tenth > reserveBytes ? tenth : reserveBytes) - this.#promised;
    const wanted = ringBytes(nextBytes, keep) ?? bytes;
    const most = wanted > 0n ? wanted : room;
    if (most > room || most < 1n || (wanted === 0n && room < minBytes)) {
      const shown = room > 0n ? room : 0n;
      const message = `${directory} has room for ${shown} bytes${wanted > 0n ? `, not ${wanted}` : ''}`;
      throw new CapturesError('ERR_CAPTURES_SPACE', message);
    }
    this.#promised += most;
    let held = most;
    return {
      path: join(directory, name),
      maxBytes: most,
      [Symbol.dispose]: () => {
        this.#promised -= held;
        held = 0n;
      },
    };
  }
}

/** A ring that keeps so many files has one more while the oldest is removed; undefined: it grows without end. */
function ringBytes(nextBytes: bigint, keep: number): bigint | undefined {
  return nextBytes > 0n && keep > 0 ? nextBytes * BigInt(keep + 1) : undefined;
}

async function spaceOf(path: string): Promise<{ freeBytes: bigint; sizeBytes: bigint }> {
  const { bavail, blocks, bsize } = await statfs(path, { bigint: true });
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}
