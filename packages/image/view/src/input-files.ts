import { type FileHandle, open } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { ViewError } from './errors.ts';
import { type FileExtent, identityOf, isSameFile } from './extent.ts';

/** Reads file extents; keeps the file of the last one open, because the next one is often the same. */
export class InputFiles implements AsyncDisposable {
  #path: string | undefined;
  #file: FileHandle | undefined;

  /**
   * Fills `target` from `position` of the extent on. The file is compared after the read as well: bytes that were
   * read while somebody wrote are not handed out.
   *
   * @throws {ViewError} `ERR_VIEW_CHANGED`, `ERR_VIEW_UNREADABLE`.
   */
  async read(extent: FileExtent, position: number, target: Uint8Array): Promise<void> {
    try {
      await this.#read(extent, position, target);
    } catch (error) {
      throw told(extent, error);
    }
  }

  async #read(extent: FileExtent, position: number, target: Uint8Array): Promise<void> {
    const file = await this.#open(extent);
    for (let done = 0; done < target.length;) {
      const { bytesRead } = await file.read(
        target,
        done,
        target.length - done,
        extent.offset + position + done,
      );
      if (bytesRead === 0) throw changed(extent, 'it ends too early');
      done += bytesRead;
    }
    await assertUnchanged(file, extent);
  }

  async #open(extent: FileExtent): Promise<FileHandle> {
    if (this.#file !== undefined && this.#path === extent.path) return this.#file;
    await this[Symbol.asyncDispose]();
    const file = await open(extent.path, 'r');
    this.#file = file;
    this.#path = extent.path;
    await assertUnchanged(file, extent);
    return file;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

async function assertUnchanged(file: FileHandle, extent: FileExtent): Promise<void> {
  const now = identityOf(await file.stat({ bigint: true }));
  if (now.size < extent.offset + extent.size) throw changed(extent, `it has ${now.size} bytes`);
  if (extent.identity !== undefined && !isSameFile(now, extent.identity)) {
    throw changed(extent, 'its size, time or inode is another one');
  }
}

/** An error of the system as what it says of the file: that it is gone, or nothing, as when a process has no descriptor left. */
function told(extent: FileExtent, error: unknown): unknown {
  if (!(error instanceof Error) || !('errno' in error)) return error;
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return changed(extent, 'it is gone', error);
  return new ViewError('ERR_VIEW_UNREADABLE', `${extent.path} can not be read: ${code}`, { cause: error });
}

function changed(extent: FileExtent, how: string, cause?: unknown): ViewError {
  return new ViewError(
    'ERR_VIEW_CHANGED',
    `${extent.path} changed since the view was made: ${how}`,
    cause === undefined ? undefined : { cause },
  );
}
