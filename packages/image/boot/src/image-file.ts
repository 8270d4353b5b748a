import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

import { beginReading, beginWriting, dropCache } from './ffi-file-system.ts';

/** What the disk is given at once: it has something to do while the rest is made, or hashed. */
const windowBytes = 8 << 20;
const chunkBytes = 1 << 20;

/**
 * Writes a new file. The disk writes what came before while the next bytes are made, and those are made while these are copied. They need not be
 * on the disk when it resolves.
 */
export async function writeImage(file: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let [position, begun] = [0, 0];
  let working: Promise<unknown> = Promise.resolve();
  const write = async (chunk: Uint8Array): Promise<void> => {
    for (let done = 0; done < chunk.length;) {
      const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position);
      done += bytesWritten;
      position += bytesWritten;
    }
    if (position - begun < windowBytes) return;
    await beginWriting(file.fd, begun, position - begun);
    begun = position;
  };
  try {
    for await (const chunk of chunks) {
      await working;
      working = write(chunk);
      working.catch(() => {}); // thrown when the next chunk is there: until then a failure is nobody's, and would end the process
    }
    await working;
  } finally {
    await working.catch(() => {}); // the file is to be closed when nothing writes any more
  }
}

/** The same chunks; the next one is read while the one before is used. */
export async function* readAhead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  let next = source.next();
  try {
    for (let chunk = await next; chunk.done !== true; chunk = await next) {
      next = source.next();
      next.catch(() => {}); // thrown when it is asked for: until then a failure is nobody's, and would end the process
      yield chunk.value;
    }
  } finally {
    await next.catch(() => {}); // its failure was thrown above, or nobody waits for it any more
    await source.return?.();
  }
}

/** SHA-256, as hex, of what the disk has of a file; read from the disk, whatever is in memory. */
export async function digestOnDisk(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await using file = await open(path, 'r');
  await dropCache(file.fd);
  const { size } = await file.stat();
  const buffers = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)] as const;
  let [position, announced, turn] = [0, 0, 0];
  const read = async (): Promise<Buffer> => {
    for (; announced < size && announced < position + windowBytes; announced += windowBytes)
      await beginReading(file.fd, announced, windowBytes);
    const buffer = buffers[turn % 2 === 0 ? 0 : 1];
    turn += 1;
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    position += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  for (let chunk = await read(); chunk.length > 0;) {
    signal?.throwIfAborted();
    const next = read();
    hash.update(chunk);
    chunk = await next;
  }
  return hash.digest('hex');
}
