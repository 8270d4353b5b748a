import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { codeOf } from '@nodecore/sys/pure';
import { extract as tarReader } from 'tar-stream';

import { ArchiveError } from '../files/errors.ts';
import { Extraction } from './extraction.ts';

/**
 * Writes an archive into a directory that is empty. The node may be anybody's: nothing that it sends leads out of the directory.
 *
 * @returns how many devices and pipes were left out.
 * @throws {ArchiveError} for an archive that is damaged, or that nobody honest makes; what was written before stays.
 */
export async function extract(archive: AsyncIterable<Uint8Array>, directory: string): Promise<number> {
  // Names are bytes: each is a character of latin1.
  const reader = tarReader({ filenameEncoding: 'latin1' } as object);
  const packed = pipeline(Readable.from(archive, { objectMode: false }), createGunzip(), reader);
  packed.catch(() => {}); // it is thrown below
  const extraction = new Extraction(directory);
  try {
    for await (const entry of reader) await extraction.add(entry.header, entry as AsyncIterable<Uint8Array>);
    await packed;
  } catch (error) {
    reader.destroy();
    await packed.catch((cause: unknown) => {
      if (isDamage(cause)) throw new ArchiveError(`the archive is damaged: ${String(cause)}`);
      if (!isEnd(cause)) throw cause;
    });
    throw error;
  }
  await extraction.end();
  return extraction.left;
}

/** What zlib says of bytes that are none of its own, and the reader, whose errors have no codes. */
function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined ? error instanceof Error : code.startsWith('Z_');
}

/** The reader was left because of what came from elsewhere. */
function isEnd(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
}
