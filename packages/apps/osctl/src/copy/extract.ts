import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { codeOf } from '@nodecore/sys/pure';

import { ArchiveError } from '../files/errors.ts';
import { Extraction } from './extraction.ts';
import { tarEntries } from './tar-entries.ts';

/**
 * Writes an archive into a directory that is empty. The node may be anybody's: nothing that it sends leads out of the directory.
 *
 * @returns how many devices and pipes were left out.
 * @throws {ArchiveError} for an archive that is damaged, or that nobody honest makes; what was written before stays.
 */
export async function extract(archive: AsyncIterable<Uint8Array>, directory: string): Promise<number> {
  const extraction = new Extraction(directory);
  for await (const entry of tarEntries(unpacked(archive))) await extraction.add(entry);
  await extraction.end();
  return extraction.left;
}

/** What of it was packed, no faster than it is taken. */
async function* unpacked(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const source = Readable.from(archive, { objectMode: false });
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = codeOf(error) ?? '';
    throw code.startsWith('Z_') ? new ArchiveError(`the archive is damaged: ${code}`) : error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}
