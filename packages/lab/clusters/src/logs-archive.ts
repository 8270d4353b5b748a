import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { type TarEntry, tarParts } from '@nodecore/oci';
import { writeFileAtomic } from '@nodecore/sys';

import type { ClusterDirectory } from './directory.ts';
import { requireOutside } from './place.ts';

/**
 * Writes all logs of a cluster, its machines' consoles among them, into a tar.gz, whole or not at all. Nothing may write to them
 * any more.
 *
 * @throws {ClusterError} `ERR_CLUSTER_REQUEST` for a file in the directory that goes.
 */
export async function archiveLogs(directory: ClusterDirectory, file: string): Promise<void> {
  await requireOutside(directory.path, file);
  const entries: TarEntry<{ readonly path: string; readonly size: number }>[] = [];
  for (const path of await logsBelow(directory.path)) {
    const { size } = await stat(path);
    const name = `${directory.name}/${relative(directory.path, path)}`;
    entries.push({ path: name, mode: 0o600, size, content: { path, size } });
  }
  await writeFileAtomic(file, async (output) => {
    // No stream of the file: one that leaves it open is never over for a pipeline.
    await pipeline(bytesOf(entries), createGzip(), async (packed: AsyncIterable<Uint8Array>) => {
      for await (const bytes of packed) await output.appendFile(bytes);
    });
  });
}

async function* bytesOf(
  entries: readonly TarEntry<{ readonly path: string; readonly size: number }>[],
): AsyncGenerator<Uint8Array> {
  for (const part of tarParts(entries)) {
    if (part instanceof Uint8Array) yield part;
    else if (part.size > 0) yield* createReadStream(part.path, { end: part.size - 1 });
  }
}

/** Also what logs were before they were full: `services.log.1`. */
const logRule = /\.log(?:\.\d+)?$/;

async function logsBelow(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) found.push(...(await logsBelow(path)));
    else if (entry.isFile() && logRule.test(entry.name)) found.push(path);
  }
  return found.toSorted();
}
