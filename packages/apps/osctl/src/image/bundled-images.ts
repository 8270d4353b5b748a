import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

import {
  formatReference,
  layerFiles,
  OciError,
  parseReference,
  type Reference,
  type RegistryClient,
  zstdFrames,
} from '@nodecore/clusters/image-cache';

/** The file of an image that lists others, one in a line, each with its digest. */
const listPath = 'image-digests';
/** Far above any list. */
const largestList = 4 << 20;

/**
 * The images that the image `extensions` or `overlays` of a release lists. Each has a digest: another one never comes in its place.
 *
 * @throws {OciError} `ERR_OCI_NOT_FOUND` without that image, `ERR_OCI_LAYER` where it has no such list.
 */
export async function bundledImages(
  client: Pick<RegistryClient, 'image' | 'blob'>,
  reference: Reference,
  signal: AbortSignal,
): Promise<readonly Reference[]> {
  const name = formatReference(reference);
  const platform = { os: 'linux', architecture: 'amd64' };
  const { manifest } = await client.image(reference, platform, signal);
  for (const layer of manifest.layers.toReversed()) {
    const bytes = client.blob(reference.repository, layer, signal);
    for await (const { path, content } of layerFiles(plain(bytes, layer.mediaType)))
      if (path === listPath) return referencesIn(await textOf(content, name), name);
  }
  throw new OciError('ERR_OCI_LAYER', `${name} has no file ${listPath}`);
}

function plain(bytes: AsyncIterable<Uint8Array>, mediaType: string): AsyncIterable<Uint8Array> {
  if (!/\+(?:gzip|zstd)$/u.test(mediaType)) return bytes;
  const isGzip = mediaType.endsWith('gzip');
  const unpacked = isGzip ? createGunzip() : createZstdDecompress();
  const source = Readable.from(isGzip ? bytes : zstdFrames(bytes), { objectMode: false });
  source.on('error', (error) => unpacked.destroy(error));
  return source.pipe(unpacked);
}

async function textOf(content: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > largestList)
      throw new OciError('ERR_OCI_LAYER', `${name}: ${listPath} is above ${largestList} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Whoever made the list may write anything into it: a name that is none, or without a digest, is refused with its line. */
function referencesIn(text: string, name: string): readonly Reference[] {
  return text.split('\n').flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '') return [];
    const at = `${name}, ${listPath}:${index + 1}`;
    const reference = parsed(trimmed, at);
    if (reference.digest === undefined) throw new OciError('ERR_OCI_LAYER', `${at}: no digest`);
    return [reference];
  });
}

function parsed(line: string, at: string): Reference {
  try {
    return parseReference(line);
  } catch (error) {
    throw new OciError('ERR_OCI_LAYER', `${at}: no reference of an image`, { cause: error });
  }
}
