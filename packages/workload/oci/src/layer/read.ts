import { Readable } from 'node:stream';

import { extract } from 'tar-stream';

import { OciError } from '../errors.ts';

/** A regular file of a layer. */
export type LayerFile = {
  readonly path: string;
  readonly size: number;
  /** To be read before the next file is asked for; what is left is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
};

/**
 * The regular files of an uncompressed layer, in its order; directories are passed over.
 *
 * @throws {OciError} with `ERR_OCI_LAYER` for a path that leaves the layer, for links and devices, and for an archive that
 *   is broken or cut off.
 */
export async function* layerFiles(layer: AsyncIterable<Uint8Array>): AsyncGenerator<LayerFile> {
  const archive = extract();
  const source = Readable.from(layer, { objectMode: false });
  source.on('error', (error) => archive.destroy(error));
  source.pipe(archive);
  try {
    for await (const entry of archive) {
      const { name, type, size } = entry.header;
      if (type === 'directory') {
        entry.resume();
        continue;
      }
      if (type !== 'file' && type !== 'contiguous-file')
        throw new OciError('ERR_OCI_LAYER', `${name}: a layer of ours has no ${type ?? 'such entry'}`);
      if (name.startsWith('/') || name.split('/').includes('..'))
        throw new OciError('ERR_OCI_LAYER', `${name}: leaves the layer`);
      const chunks = (entry as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
      yield { path: name.replace(/^\.\//, ''), size, content: contentOf(chunks) };
      // The archive goes on when all of this file was taken from it.
      while ((await chunks.next()).done !== true);
    }
  } catch (error) {
    throw broken(error);
  } finally {
    source.destroy();
    archive.destroy();
  }
}

/** Who stops early leaves the rest of the file, and does not end the archive. */
async function* contentOf(chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { done, value } = await chunks.next();
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    throw broken(error);
  }
}

/** An error that has a code is of the source of the layer, which knows better what happened. */
export function broken(error: unknown): unknown {
  if (error instanceof Error && 'code' in error) return error;
  return new OciError('ERR_OCI_LAYER', 'the layer is no tar archive, or is cut off', { cause: error });
}
