import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { type Extent, sizeOf } from './extent.ts';

/** What of a view is needed to write it. */
type Source = {
  readonly size: number;
  readonly extents: readonly Extent[];
  stream(options: { start: number; end: number; signal?: AbortSignal }): AsyncIterable<Uint8Array>;
};

export type WriteViewOptions = {
  /** Permission bits of the file; 0o644 by default: images are for everybody who may reach the directory. */
  readonly mode?: number;
  readonly signal?: AbortSignal;
};

/** @throws {Error} with the code `ESTALE` when somebody else has put a part in place of ours. */
export async function writeView(view: Source, path: string, options: WriteViewOptions): Promise<void> {
  const { mode = 0o644, signal } = options;
  const part = `${path}.part`;
  await rm(part, { force: true }); // left by a crash, perhaps with other permission bits
  await using file = await open(part, 'wx', mode);
  try {
    await writeExtents(view, file, signal);
    await file.truncate(view.size); // a hole at the end was not written
    await file.sync();
    if (!(await isStill(part, file))) {
      throw Object.assign(new Error(`ESTALE: somebody else writes ${part}`), { code: 'ESTALE', path: part });
    }
    await rename(part, path);
  } catch (error) {
    if (await isStill(part, file)) await rm(part, { force: true });
    throw error;
  }
  await using directory = await open(dirname(path), 'r');
  await directory.sync();
}

async function writeExtents(view: Source, file: FileHandle, signal: AbortSignal | undefined): Promise<void> {
  let position = 0;
  for (const extent of view.extents) {
    const end = position + sizeOf(extent);
    if (extent.kind !== 'hole') {
      const range = { start: position, end, ...(signal === undefined ? {} : { signal }) };
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

/** Two who write the same file at once remove each other's part: only our own may go. */
async function isStill(part: string, file: FileHandle): Promise<boolean> {
  const [own, named] = await Promise.all([
    file.stat({ bigint: true }),
    lstat(part, { bigint: true }).catch(() => undefined),
  ]);
  return named?.ino === own.ino && named.dev === own.dev;
}
