import { open, type FileHandle } from 'node:fs/promises';

import { dropCache } from '@nodecore/boot';
import { View } from '@nodecore/view';

import { InstallError } from './errors.ts';

/** A range of a device or file, by its first byte. */
export type WritePlace = { readonly path: string; readonly offset: number };

/** Larger than what identifies a file system in its first sectors, of whatever size these are. */
const headBytes = 64 * 1024;

/**
 * Writes a view to a device, its head last, which is zeros until then: a cut before leaves nothing that anybody takes for a file
 * system. Zeros are written where the view has a hole, but for one at its end. Durable when it resolves.
 */
export async function writeView(
  { path, offset }: WritePlace,
  view: View,
  {
    signal,
    progress,
  }: { readonly signal?: AbortSignal | undefined; readonly progress: (doneBytes: number) => void },
): Promise<void> {
  const end = endOf(view);
  const head = Math.min(headBytes, end);
  await using file = await open(path, 'r+');
  await writeAll(file, Buffer.alloc(head), offset);
  await file.sync();
  let done = head;
  for await (const chunk of view.stream({ start: head, end, ...(signal && { signal }) })) {
    await writeAll(file, chunk, offset + done);
    done += chunk.length;
    progress(done);
  }
  await file.sync();
  signal?.throwIfAborted();
  await writeAll(file, await view.slice(0, head).bytes(), offset);
  await file.sync();
}

/** Reads what was written, from the disk: whoever else has the device open keeps its cache. @throws {InstallError} `ERR_INSTALL_WRITE` */
export async function compareView(
  { path, offset }: WritePlace,
  view: View,
  signal?: AbortSignal,
): Promise<void> {
  await using file = await open(path, 'r');
  await dropCache(file.fd);
  let done = 0;
  for await (const chunk of view.stream({ start: 0, end: endOf(view), ...(signal && { signal }) })) {
    const stored = await readAll(file, chunk.length, offset + done);
    if (Buffer.compare(stored, chunk) !== 0)
      throw new InstallError(
        'ERR_INSTALL_WRITE',
        `${path} has something else than was written, between byte ${done} and ${done + chunk.length}`,
      );
    done += chunk.length;
  }
}

/** Behind the last byte that is no hole. */
function endOf(view: View): number {
  const last = view.extents.at(-1);
  return last?.kind === 'hole' ? view.size - last.size : view.size;
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

async function readAll(file: FileHandle, size: number, position: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  for (let done = 0; done < size;) {
    const { bytesRead } = await file.read(bytes, done, size - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes;
}
