import type { FileHandle } from 'node:fs/promises';

import { writeFileAtomic } from '@nodecore/sys';

import { type Extent, sizeOf } from './extent.ts';
import { oneRoom } from './room.ts';

type StreamRange = {
  readonly start: number;
  readonly end: number;
  readonly signal?: AbortSignal;
  readonly room: (sizeBytes: number) => Uint8Array;
};

/** What of a view is needed to write it. */
type Source = {
  readonly size: number;
  readonly extents: readonly Extent[];
  stream(options: StreamRange): AsyncIterable<Uint8Array>;
};

export type WriteViewOptions = {
  /** Permission bits of the file; 0o644 by default: images are for everybody who may reach the directory. */
  readonly mode?: number;
  readonly signal?: AbortSignal;
};

/** @throws {Error} with the code `ESTALE` when somebody else has put a part in place of ours. */
export async function writeView(view: Source, path: string, options: WriteViewOptions): Promise<void> {
  const { mode = 0o644, signal } = options;
  const write = async (file: FileHandle): Promise<void> => {
    await writeExtents(view, file, signal);
    await file.truncate(view.size); // a hole at the end was not written
  };
  await writeFileAtomic(path, write, { mode });
}

async function writeExtents(view: Source, file: FileHandle, signal: AbortSignal | undefined): Promise<void> {
  let position = 0;
  const room = oneRoom();
  for (const extent of view.extents) {
    const end = position + sizeOf(extent);
    if (extent.kind !== 'hole') {
      const range = { start: position, end, room, ...(signal === undefined ? {} : { signal }) };
      for await (const chunk of view.stream(range)) {
        await writeAll(file, chunk, position);
        position += chunk.length;
      }
    }
    position = end;
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
