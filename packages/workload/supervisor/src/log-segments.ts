import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';

import { codeOf } from '@nodecore/sys';

/** What a keeper writes: each file is named after the offset of its first byte (native/keeper/log_ring.h). */
export type Segment = {
  readonly start: number;
  /** There is only the compressed form of it where the keeper writes. */
  readonly isCompressed: boolean;
  /** It lies where the keeper writes, in either form. */
  readonly isAtHome: boolean;
  /** The keeper took it away while it was being compressed, or would have. */
  readonly isDropped: boolean;
};

const namePattern = /^log\.(\d{20})(\.zst)?$/u;
/** What is kept, without compression. */
export const totalBytes: number = 1 << 20;
const segmentBytes = 64 << 10;

/** The file of a segment, as it is written to. */
export function segmentName(start: number): string {
  return `log.${String(start).padStart(20, '0')}`;
}

/** Pieces of a log in files: where a keeper writes, and in an archive, where there is one. */
export class LogSegments {
  readonly home: string;
  /** Undefined while there is none. */
  archive: string | undefined;

  constructor(home: string, archive?: string) {
    this.home = home;
    this.archive = archive;
  }

  /** Oldest first, each once. */
  async list(): Promise<readonly Segment[]> {
    const found = new Map<number, Omit<Segment, 'isDropped'>>();
    for (const directory of this.archive === undefined ? [this.home] : [this.archive, this.home]) {
      const isAtHome = directory === this.home;
      // Of one in both forms that which is written to.
      for (const name of (await entriesOf(directory)).toSorted().toReversed()) {
        const [, digits, compressed] = namePattern.exec(name) ?? [];
        if (digits === undefined) continue;
        found.set(Number(digits), {
          start: Number(digits),
          isCompressed: isAtHome && compressed !== undefined,
          isAtHome,
        });
      }
    }
    const sorted = [...found.values()].toSorted((one, other) => one.start - other.start);
    const newest = sorted.at(-1)?.start ?? 0;
    return sorted.map((each) => ({ ...each, isDropped: each.start + totalBytes < newest + segmentBytes }));
  }

  /** Undefined when it was dropped. It may be compressed, and moved, while it is looked for. */
  async bytes(start: number, from = 0): Promise<Uint8Array | undefined> {
    for (const path of this.paths(start)) {
      const bytes = await bytesOf(path, from);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  }

  /** Everywhere where it may lie, in the order in which it moves: the last one may lack its end. */
  paths(start: number): readonly string[] {
    const name = segmentName(start);
    const atHome = [join(this.home, name), join(this.home, `${name}.zst`)];
    if (this.archive === undefined) return atHome;
    return [...atHome, join(this.archive, `${name}.zst`), join(this.archive, name)];
  }

  /** Takes it away everywhere. */
  async remove(start: number): Promise<void> {
    for (const path of this.paths(start)) await rm(path, { force: true });
  }
}

async function bytesOf(path: string, from: number): Promise<Uint8Array | undefined> {
  try {
    if (path.endsWith('.zst')) return (await decompressed(await readFile(path)))?.subarray(from);
    await using file = await open(path);
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.max(0, size - from));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    return bytes.subarray(0, bytesRead);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Undefined for what a power cut has left of it: as good as gone. */
async function decompressed(bytes: Uint8Array): Promise<Buffer | undefined> {
  try {
    return await promisify(zstdDecompress)(bytes, { maxOutputLength: totalBytes });
  } catch {
    return undefined;
  }
}

/** Nothing where there is no directory. */
export async function entriesOf(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []; // it has not been started yet
    throw error;
  }
}
