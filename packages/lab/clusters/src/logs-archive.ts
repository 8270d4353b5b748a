import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { type TarEntry, tarParts } from '@nodecore/oci';

import type { ClusterDirectory } from './directory.ts';

/**
 * Writes all logs of a cluster, its machines' consoles among them, into a tar.gz, whole or not at all. Nothing may write to them
 * any more.
 */
export async function archiveLogs(directory: ClusterDirectory, file: string): Promise<void> {
  const entries: TarEntry<{ readonly path: string; readonly size: number }>[] = [];
  for (const path of await logsBelow(directory.path)) {
    const { size } = await stat(path);
    const name = `${directory.name}/${relative(directory.path, path)}`;
    entries.push({ path: name, mode: 0o600, size, content: { path, size } });
  }
  const part = `${file}.part`;
  try {
    const output = createWriteStream(part, { mode: 0o600, flush: true });
    await pipeline(bytesOf(entries), createGzip(), output);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function* bytesOf(
  entries: readonly TarEntry<{ readonly path: string; readonly size: number }>[],
): AsyncGenerator<Uint8Array> {
  for (const part of tarParts(entries)) {
    if (part instanceof Uint8Array) yield part;
    else if (part.size > 0) yield* createReadStream(part.path, { end: part.size - 1 });
  }
}

async function logsBelow(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) found.push(...(await logsBelow(path)));
    else if (entry.isFile() && entry.name.endsWith('.log')) found.push(path);
  }
  return found.toSorted();
}
