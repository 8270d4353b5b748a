import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

import { DigestCheck } from '../digest.ts';
import { OciError } from '../errors.ts';
import type { Descriptor } from '../manifest.ts';
import type { RegistryClient } from './registry-client.ts';

/**
 * Fetches a blob into a file, as {@link writeBlob}.
 *
 * @throws {OciError} as `RegistryClient.blob`; with `ERR_OCI_DIGEST` the part is emptied, so that the next call begins anew.
 */
export async function downloadBlob(
  client: RegistryClient,
  repository: string,
  descriptor: Pick<Descriptor, 'digest' | 'size'>,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  await writeBlob(path, descriptor, (start) => client.blobFrom(repository, descriptor, start, signal));
}

/**
 * Writes a blob into a file: `<path>.part`, checked, fsync, rename. What an earlier, interrupted call left in the part is
 * hashed and kept, and only the rest is asked for. One call at a time for a path.
 *
 * @param from the bytes from a place on.
 * @param mode permission bits of the file; 0o600 by default.
 * @throws {OciError} with `ERR_OCI_DIGEST` when they are others; the part is emptied, so that the next call begins anew.
 */
export async function writeBlob(
  path: string,
  descriptor: Pick<Descriptor, 'digest' | 'size'>,
  from: (start: number) => AsyncIterable<Uint8Array>,
  mode = 0o600,
): Promise<void> {
  const part = `${path}.part`;
  await using file = await openPart(part, mode);
  const check = new DigestCheck(descriptor.digest, descriptor.size);
  try {
    for await (const chunk of createReadStream('', { fd: file.fd, autoClose: false, start: 0 }))
      check.update(chunk as Buffer);
    if (check.seen < descriptor.size)
      for await (const chunk of from(check.seen)) {
        const at = check.seen;
        check.update(chunk);
        await writeAt(file, chunk, at);
      }
    check.end();
  } catch (error) {
    if (error instanceof OciError && error.code === 'ERR_OCI_DIGEST') await file.truncate(0);
    throw error;
  }
  await file.sync();
  await rename(part, path);
  await using directory = await open(dirname(path), 'r');
  await directory.sync();
}

async function openPart(path: string, mode: number): Promise<FileHandle> {
  const there = await lstat(path).catch(() => undefined);
  return await open(path, there?.isFile() === true ? 'r+' : 'wx+', mode);
}

async function writeAt(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}
