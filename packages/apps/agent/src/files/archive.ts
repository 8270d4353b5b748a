import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { type CopyFilesResponseInit, CopyReport } from '@nodecore/api/file';
import { archiveFiles } from '@nodecore/native/files';

/** What a network takes, a processor must have packed: level 6 packs logs no better than by a tenth, and takes three times as long. */
const level = 1;
const chunkBytes = 256 * 1024;

/**
 * A tree as pieces of a gzipped tar archive, and its report in the end. Packed by a thread of the pool, no faster than it is taken.
 *
 * @throws {NativeError}
 */
export async function* archive(
  root: Uint8Array,
  options: { readonly oneFileSystem: boolean; readonly signal: AbortSignal },
): AsyncGenerator<CopyFilesResponseInit, void, undefined> {
  let report: Uint8Array | undefined;
  const tar = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of archiveFiles({ root, ...options })) {
      report = piece.report ?? report;
      yield piece.bytes;
    }
  };
  const gzip = createGzip({ level, chunkSize: chunkBytes });
  const packed = pipeline(Readable.from(tar(), { objectMode: true, highWaterMark: 1 }), gzip);
  packed.catch(() => {}); // it is thrown below
  try {
    for await (const data of gzip as AsyncIterable<Uint8Array>) yield { data };
    await packed;
  } catch (error) {
    // The stream has another error than what it failed with, where that was first.
    await packed;
    throw error;
  } finally {
    gzip.destroy();
  }
  if (report === undefined) throw new TypeError('an archive without a report');
  yield { report: CopyReport.decode(report) };
}
