import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { CapturesError } from './errors.ts';
import { checkFileName, longestName, numberLength } from './file-name.ts';

/** One message of a file. */
const pieceBytes = 1 << 16;

/** A file that a capture has left on the node. */
export type CaptureFileStatus = {
  readonly name: string;
  readonly sizeBytes: bigint;
  readonly modifiedMillis: bigint;
};

/** Regular files only, by name. A directory that is not there has none. */
export async function listFiles(directory: string): Promise<readonly CaptureFileStatus[]> {
  const names = await readdir(directory).catch(absent);
  const files = await Promise.all((names ?? []).toSorted().map((name) => statusOf(directory, name)));
  return files.filter((file) => file !== undefined);
}

async function statusOf(directory: string, name: string): Promise<CaptureFileStatus | undefined> {
  const facts = await lstat(join(directory, name), { bigint: true }).catch(absent); // a ring has dropped it meanwhile
  if (facts?.isFile() !== true) return undefined;
  return { name, sizeBytes: facts.size, modifiedMillis: facts.mtimeMs };
}

/**
 * A file, as large as it was at the beginning, in pieces with memory of their own.
 *
 * @throws {CapturesError} `ERR_CAPTURES_REQUEST`, `ERR_CAPTURES_FILE`
 */
export async function* readFile(
  directory: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  await using file = await openFile(directory, name);
  let left = (await file.stat()).size;
  while (left > 0) {
    signal.throwIfAborted();
    const piece = Buffer.alloc(Math.min(left, pieceBytes));
    const { bytesRead } = await file.read(piece);
    if (bytesRead === 0) return;
    left -= bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/**
 * What a running capture still writes into it is gone, too, when that ends.
 *
 * @throws {CapturesError} `ERR_CAPTURES_REQUEST`, `ERR_CAPTURES_FILE`
 */
export async function removeFile(directory: string, name: string): Promise<void> {
  await using _ = await openFile(directory, name);
  await unlink(join(directory, name));
}

async function openFile(directory: string, name: string): Promise<FileHandle> {
  checkFileName(name, longestName + numberLength);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(join(directory, name), flags).catch(absent);
  if (file !== undefined && (await file.stat()).isFile()) return file;
  await file?.close();
  throw new CapturesError(
    'ERR_CAPTURES_FILE',
    `there is no capture file ${name} on the node; list them first`,
  );
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ELOOP') throw error;
  return undefined;
}
