import { createHash } from 'node:crypto';
import { rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, makeDirectory } from '@nodecore/sys';

import { ClusterError } from './errors.ts';
import { openPart, partOf, sweepParts } from './image-part.ts';
import { plainImage, writeSparse } from './sparse-image.ts';
import { shownUrl } from './url-flag.ts';

/** Where an image comes from, and who asks. */
export type ImageSource = {
  readonly url: string;
  /** `user:password` of the factory. */
  readonly auth?: string | undefined;
  /** What zstd has packed is wanted unpacked: the image of a disk. */
  readonly unpacks?: true;
  /** By what the cache knows it, where its URL is another one each time. */
  readonly key?: string;
};

/**
 * An image by its URL, from the cache when the same one is still there.
 *
 * @param cache directory; one file for each URL and ETag, with holes where the image is blank. Two processes fetch it once.
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE`
 */
export async function fetchImage(
  source: ImageSource,
  cache: string,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const url = shownUrl(source.url); // what is told is stored in logs
  const { response: head, tag } = await ask(source, 'HEAD', signal);
  await head.body?.cancel();
  await makeDirectory(cache);
  const known = pathOf(source, cache, tag);
  if (tag !== '' && (await exists(known))) {
    tell(`image ${url} is in the cache`);
    return known;
  }
  await sweepParts(cache);
  await using part = await openPart(known, () => tell(`image ${url}: another process fetches it`), signal);
  if (tag !== '' && (await exists(known))) {
    await rm(partOf(known), { force: true });
    return known;
  }
  tell(`image ${url}`);
  try {
    const { response, tag: own } = await ask(source, 'GET', signal);
    let seen = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const bytes of response.body ?? []) {
        seen += bytes.length;
        yield bytes;
      }
      const announced = Number(response.headers.get('content-length') ?? Number.NaN);
      if (Number.isFinite(announced) && seen !== announced)
        throw new ClusterError('ERR_CLUSTER_IMAGE', `${url} ended after ${seen} of ${announced} bytes`);
    };
    await writeSparse(part, source.unpacks === true ? plainImage(counted()) : counted());
    await part.sync();
    // By the tag of what came: another image may have taken the place of the first one meanwhile.
    const path = pathOf(source, cache, own);
    await rename(partOf(known), path);
    return path;
  } catch (error) {
    await rm(partOf(known), { force: true });
    if (codeOf(error) !== 'ENOSPC') throw error;
    const { bavail, bsize } = await statfs(cache);
    const words = `${cache}: the image does not fit into the ${Math.floor((bavail * bsize) / 2 ** 20)} MiB that are free`;
    throw new ClusterError('ERR_CLUSTER_IMAGE', words, { cause: error });
  }
}

function pathOf({ url, key = url, unpacks }: ImageSource, cache: string, tag: string): string {
  const words = [key, tag, ...(unpacks === true ? ['unpacked'] : [])];
  return join(cache, `${createHash('sha256').update(words.join('\0')).digest('hex')}.raw`);
}

async function ask(
  { url, auth }: ImageSource,
  method: 'GET' | 'HEAD',
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly tag: string }> {
  const headers: Record<string, string> =
    auth === undefined ? {} : { authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
  const { origin } = new URL(url);
  const response = await fetch(url, { method, headers, signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    const words = `the image factory ${origin} does not answer: start one (nodecore-factory serve), or name it with --image-factory-url`;
    throw new ClusterError('ERR_CLUSTER_IMAGE', words, { cause });
  });
  if (response.ok)
    return { response, tag: response.headers.get('etag') ?? response.headers.get('last-modified') ?? '' };
  if (method === 'HEAD') return await ask({ url, auth }, 'GET', signal); // which says why
  const said = `: ${(await response.text()).slice(0, 500).trim()}`;
  throw new ClusterError('ERR_CLUSTER_IMAGE', `${shownUrl(url)}: ${response.status}${said}`);
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
