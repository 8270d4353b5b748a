import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';

import { codeOf } from '@nodecore/sys';
import type { Signal } from '@nodecore/waiting';

/** Bytes of a log, as the service printed them. */
export type LogPiece = {
  /** Of the first byte, from the first that the service ever printed. */
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

/** What a keeper writes: each file is named after the offset of its first byte (native/keeper/log_ring.h). */
type Segment = {
  readonly start: number;
  readonly name: string;
  readonly isCompressed: boolean;
  /** The keeper took it away while it was being compressed. */
  readonly isDropped: boolean;
};

const namePattern = /^log\.(\d{20})(\.zst)?$/u;
/** What is kept, without compression. */
const totalBytes = 1 << 20;
const segmentBytes = 64 << 10;
const newline = 0x0a;

/** What a service printed last, a mebibyte of it: older pieces compressed. Outlives the service and whoever reads it. */
export class LogRing {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
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
    const segments = await this.#segments();
    const newest = segments.at(-1)?.start ?? 0;
    for (const { start, name, isCompressed, isDropped } of segments) {
      const path = join(this.#directory, name);
      if (isDropped) await rm(path, { force: true });
      else if (start !== newest && !isCompressed) await compress(path);
    }
  }

  /** Pieces from an offset on, until the end of what there is now. */
  async *#from(offset: number): AsyncGenerator<LogPiece, void, undefined> {
    let next = offset;
    for (const { start, name, isCompressed, isDropped } of await this.#segments()) {
      if (isDropped) continue;
      const bytes = await this.#bytes(name, isCompressed, Math.max(0, next - start));
      const begin = Math.max(next, start);
      if (bytes === undefined || bytes.length === 0) continue; // dropped: the next one says how much
      yield { offset: begin, data: bytes, lost: begin - next };
      next = begin + bytes.length;
    }
  }

  /** Oldest first; of one in both forms that which is written to. */
  async #segments(): Promise<readonly Segment[]> {
    const found = new Map<number, Omit<Segment, 'isDropped'>>();
    for (const name of (await entries(this.#directory)).toSorted().toReversed()) {
      const [, digits, compressed] = namePattern.exec(name) ?? [];
      if (digits === undefined) continue;
      found.set(Number(digits), { start: Number(digits), name, isCompressed: compressed !== undefined });
    }
    const sorted = [...found.values()].toSorted((one, other) => one.start - other.start);
    const newest = sorted.at(-1)?.start ?? 0;
    return sorted.map((each) => ({ ...each, isDropped: each.start + totalBytes < newest + segmentBytes }));
  }

  async #bytes(name: string, isCompressed: boolean, from: number): Promise<Uint8Array | undefined> {
    const path = join(this.#directory, name);
    try {
      if (isCompressed) return (await decompressed(path)).subarray(from);
      await using file = await open(path);
      const { size } = await file.stat();
      const bytes = Buffer.alloc(Math.max(0, size - from));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return bytes.subarray(0, bytesRead);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      return isCompressed ? undefined : await this.#bytes(`${name}.zst`, true, from);
    }
  }
}

async function compress(path: string): Promise<void> {
  const part = `${path}.zst.part`;
  try {
    await writeFile(part, await promisify(zstdCompress)(await readFile(path)), { mode: 0o600 });
    await rename(part, `${path}.zst`);
    await rm(path, { force: true });
  } catch (error) {
    await rm(part, { force: true });
    if (codeOf(error) !== 'ENOENT') throw error; // dropped meanwhile
  }
}

async function decompressed(path: string): Promise<Buffer> {
  return await promisify(zstdDecompress)(await readFile(path), { maxOutputLength: totalBytes });
}

async function entries(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []; // it has not been started yet
    throw error;
  }
}

/** A line that has no end yet counts as one. */
function lastLines(pieces: readonly LogPiece[], lines: number): readonly LogPiece[] {
  if (lines <= 0) return [];
  let left = lines;
  let isLast = true;
  for (let index = pieces.length - 1; index >= 0; index--) {
    const { data, offset } = pieces[index]!;
    for (let at = data.length - 1; at >= 0; at--) {
      if (data[at] === newline && !isLast) left -= 1;
      isLast = false;
      if (left > 0) continue;
      const rest = { offset: offset + at + 1, data: data.subarray(at + 1), lost: 0 };
      return [...(rest.data.length > 0 ? [rest] : []), ...pieces.slice(index + 1)];
    }
  }
  return pieces;
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
