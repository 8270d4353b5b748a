import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, makeDirectory, writeFileAtomic } from '@nodecore/sys';

import type { Extent } from './root-image.ts';

/** Clocks of filesystems have ticks: who writes twice in one leaves no other time. Such a file is looked at again. */
const settledMs = 2000;

/**
 * The SHA-256 of a part of a file, in hexadecimal. It is read once: for a file that is the same one, as long as it was and
 * changed when it was, the digest of then is remembered.
 *
 * @param memory directory for what is remembered; made when it is not there.
 */
export async function knownDigest(
  path: string,
  extent: Extent,
  memory: string,
  signal: AbortSignal,
): Promise<string> {
  const before = await factsOf(path, extent);
  const place = join(memory, createHash('sha256').update(before).digest('hex'));
  const known = await remembered(place);
  if (known !== undefined) return known;
  const began = Date.now();
  const digest = await digestOf(path, extent, signal);
  const { ctimeMs } = await stat(path);
  if ((await factsOf(path, extent)) === before && began - ctimeMs > settledMs) {
    await makeDirectory(memory);
    await writeFileAtomic(place, digest);
  }
  return digest;
}

/** Whoever changes a file changes one of these, also when its times are set back: `ctime` is the kernel's alone. */
async function factsOf(path: string, { offset, size }: Extent): Promise<string> {
  const found = await stat(path, { bigint: true });
  return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs, offset, size].join(' ');
}

async function remembered(place: string): Promise<string | undefined> {
  const text = await readFile(place, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  return /^[\da-f]{64}$/.test(text) ? text : undefined;
}

async function digestOf(path: string, { offset, size }: Extent, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const chunks = createReadStream(path, {
    start: offset,
    end: offset + size - 1,
    highWaterMark: 1 << 20,
    signal,
  });
  for await (const chunk of chunks) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
