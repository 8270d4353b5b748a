import { open, readFile, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';

import { codeOf } from '@nodecore/sys';
import type { Signal } from '@nodecore/waiting';

import { lastLines } from './last-lines.ts';
import { LogSegments } from './log-segments.ts';

/** Bytes of a log, as the service printed them. */
export type LogPiece = {
  /** Of the first byte, from the first that the service printed in this boot. */
  readonly offset: number;
  readonly data: Uint8Array;
  /** Bytes that were dropped before them: the ring had no room, or the disk. */
  readonly lost: number;
};

export type ReadLogOptions = {
  /** Lines from the end: 0 for none, all that are kept by default. */
  readonly tailLines?: number | undefined;
  /** Goes on at this offset instead; one that has not come yet is of a former boot, and all that is kept is new. */
  readonly from?: number | undefined;
  /** Waits for more, until the signal fires. */
  readonly follow?: Signal;
  readonly signal?: AbortSignal;
};

/** What a service printed last in one boot, a mebibyte of it: older pieces compressed. Outlives the service and whoever reads it. */
export class LogRing {
  readonly segments: LogSegments;

  /** @param directory where the service's keeper writes, or of an archive. */
  constructor(directory: string) {
    this.segments = new LogSegments(directory);
  }

  /**
   * What is kept, and with `follow` what comes, until the signal fires. Bytes that are gone before they are read are counted in the
   * next piece, and end nothing.
   */
  async *read(options: ReadLogOptions = {}): AsyncGenerator<LogPiece, void, undefined> {
    const { tailLines, from, follow, signal } = options;
    const kept = await Array.fromAsync(this.#from(0));
    const last = kept.at(-1);
    let next = last === undefined ? 0 : last.offset + last.data.length;
    if (from !== undefined && from <= next) {
      for await (const piece of this.#from(from)) {
        yield piece;
        next = piece.offset + piece.data.length;
      }
    } else {
      if (kept[0] !== undefined) kept[0] = { ...kept[0], lost: 0 }; // whoever begins here misses nothing
      yield* tailLines === undefined ? kept : lastLines(kept, tailLines);
    }
    if (follow === undefined) return;
    for (;;) {
      // Before the look: what comes meanwhile is looked for again.
      const more = nextOf(follow, signal);
      for await (const piece of this.#from(next)) {
        yield piece;
        next = piece.offset + piece.data.length;
      }
      if (!(await more)) return;
    }
  }

  /** The offset behind the last byte. */
  async end(): Promise<number> {
    let end = 0;
    for await (const { offset, data } of this.#from(0)) end = offset + data.length;
    return end;
  }

  /** The last line that is kept, without its end; empty when there is none. */
  async lastLine(): Promise<string> {
    const pieces = lastLines(await Array.fromAsync(this.#from(0)), 1);
    return Buffer.concat(pieces.map(({ data }) => data))
      .toString('utf8')
      .trimEnd();
  }

  /** Compresses what is no longer written to. Harmless at any moment, also beside readers. */
  async compact(): Promise<void> {
    const segments = await this.segments.list();
    const newest = segments.at(-1)?.start ?? 0;
    for (const { start, isCompressed, isAtHome, isDropped } of segments) {
      const [path = ''] = this.segments.paths(start);
      if (isDropped) await this.segments.remove(start);
      else if (start !== newest && isAtHome && !isCompressed) await compress(path);
    }
  }

  /** Pieces from an offset on, until the end of what there is now. */
  async *#from(offset: number): AsyncGenerator<LogPiece, void, undefined> {
    let next = offset;
    for (const { start, isDropped } of await this.segments.list()) {
      if (isDropped) continue;
      const bytes = await this.segments.bytes(start, Math.max(0, next - start));
      const begin = Math.max(next, start);
      if (bytes === undefined || bytes.length === 0) continue; // dropped: the next one says how much
      yield { offset: begin, data: bytes, lost: begin - next };
      next = begin + bytes.length;
    }
  }
}

/** @param target where it goes; beside itself by default. */
export async function compress(path: string, target: string = `${path}.zst`): Promise<void> {
  await moveWhole(path, target, async () => await promisify(zstdCompress)(await readFile(path)));
}

/** Writes a file in place of another one, which goes when it is there for good. Nothing happens when that one was dropped meanwhile. */
export async function moveWhole(
  path: string,
  target: string,
  content: () => Promise<Uint8Array>,
): Promise<void> {
  const part = `${target}.part`;
  try {
    const bytes = await content();
    await using file = await open(part, 'w', 0o600);
    await file.writeFile(bytes);
    await file.datasync();
    await rename(part, target);
    await rm(path, { force: true });
  } catch (error) {
    await rm(part, { force: true });
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** @returns false when the signal fires first, or has fired. */
async function nextOf(follow: Signal, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    if (signal?.aborted === true) return false;
    await follow.next(signal);
    return true;
  } catch {
    return false;
  }
}
