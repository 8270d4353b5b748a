import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { open, rename, rm, stat, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { codeOf, makeDirectory } from '@nodecore/sys';

import { ClusterError } from './errors.ts';

/** Where an image comes from, and who asks. */
export type ImageSource = {
  readonly url: string;
  /** `user:password` of the factory. */
  readonly auth?: string | undefined;
};

const zeros = Buffer.alloc(64 << 10);

/**
 * A raw image of a factory, from the cache when the factory still has the same one.
 *
 * @param cache directory; one file for each URL and ETag, with holes where the image is blank.
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE`
 */
export async function fetchImage(
  source: ImageSource,
  cache: string,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const head = await ask(source, 'HEAD', signal);
  const etag = head.headers.get('etag') ?? head.headers.get('last-modified') ?? '';
  await makeDirectory(cache);
  const key = createHash('sha256').update(`${source.url}\0${etag}`).digest('hex');
  const path = join(cache, `${key}.raw`);
  if (etag !== '' && (await exists(path))) {
    tell(`image ${source.url} is in the cache`);
    return path;
  }
  tell(`image ${source.url}`);
  const part = `${path}.${process.pid}.part`;
  try {
    await download(source, part, signal);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    if (codeOf(error) !== 'ENOSPC') throw error;
    const { bavail, bsize } = await statfs(cache);
    const words = `${cache}: the image does not fit into the ${Math.floor((bavail * bsize) / 2 ** 20)} MiB that are free`;
    throw new ClusterError('ERR_CLUSTER_IMAGE', words, { cause: error });
  }
  return path;
}

/**
 * Makes a disk that begins with an image, with holes where it is blank.
 *
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE` when the image is larger than the disk, or is not there.
 */
export async function copyImage(image: string, disk: string, sizeBytes: number): Promise<void> {
  const size = await stat(image).then(
    (found) => found.size,
    () => undefined,
  );
  if (size === undefined) throw new ClusterError('ERR_CLUSTER_IMAGE', `there is no image ${image}`);
  if (size > sizeBytes) {
    const words = `the image has ${size} bytes, the disk ${sizeBytes}: give --disks a larger first one`;
    throw new ClusterError('ERR_CLUSTER_IMAGE', words);
  }
  const part = `${disk}.part`;
  await promisify(execFile)('cp', ['--sparse=always', '--reflink=auto', '--', image, part]);
  await truncate(part, sizeBytes);
  await rename(part, disk);
}

async function download(source: ImageSource, part: string, signal: AbortSignal): Promise<void> {
  const response = await ask(source, 'GET', signal);
  const announced = Number(response.headers.get('content-length') ?? Number.NaN);
  await using file = await open(part, 'w', 0o600);
  let at = 0;
  for await (const bytes of response.body ?? []) {
    for (let from = 0; from < bytes.length; from += zeros.length) {
      const piece = bytes.subarray(from, from + zeros.length);
      if (!zeros.subarray(0, piece.length).equals(piece)) await file.write(piece, 0, piece.length, at + from);
    }
    at += bytes.length;
  }
  if (Number.isFinite(announced) && at !== announced)
    throw new ClusterError('ERR_CLUSTER_IMAGE', `${source.url} ended after ${at} of ${announced} bytes`);
  await file.truncate(at);
  await file.sync();
}

async function ask(
  { url, auth }: ImageSource,
  method: 'GET' | 'HEAD',
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> =
    auth === undefined ? {} : { authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
  const { origin } = new URL(url);
  const response = await fetch(url, { method, headers, signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    const words = `the image factory ${origin} does not answer: start one (nodecore-factory serve), or name it with --image-factory-url`;
    throw new ClusterError('ERR_CLUSTER_IMAGE', words, { cause });
  });
  if (response.ok) return response;
  if (method === 'HEAD') return await ask({ url, auth }, 'GET', signal); // which says why
  const said = `: ${(await response.text()).slice(0, 500).trim()}`;
  throw new ClusterError('ERR_CLUSTER_IMAGE', `${url}: ${response.status}${said}`);
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
