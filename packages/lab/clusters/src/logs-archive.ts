import { createReadStream } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { type TarEntry, tarParts } from '@nodecore/oci';
import { codeOf, unlessGone, writeFileAtomic } from '@nodecore/sys';

import type { ClusterDirectory } from './directory.ts';
import { ClusterError } from './errors.ts';
import { requireOutside } from './place.ts';

/**
 * Whether an archive can be written there, before what it is of is ended.
 *
 * @throws {ClusterError} `ERR_CLUSTER_REQUEST`, also for a file in the directory that goes.
 */
export async function requireArchivePlace(directory: ClusterDirectory, file: string): Promise<void> {
  try {
    await requireOutside(directory.path, file);
    await access(dirname(file), constants.W_OK);
    const there = await unlessGone(stat(file));
    if (there?.isFile() === false)
      throw new ClusterError(
        'ERR_CLUSTER_REQUEST',
        `${file} is a directory, or is a device, a pipe or a socket`,
      );
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    const words = `no archive can be written to ${file}: ${codeOf(error)}: name another place`;
    throw new ClusterError('ERR_CLUSTER_REQUEST', words, { cause: error });
  }
}

/**
 * Writes all logs of a cluster, its machines' consoles among them, into a tar.gz, whole or not at all. Nothing may write to them
 * any more. What a machine has in its own files, or shares, is its user's, under whatever names.
 *
 * @throws as {@link requireArchivePlace}.
 */
export async function archiveLogs(directory: ClusterDirectory, file: string): Promise<void> {
  await requireArchivePlace(directory, file);
  const entries: TarEntry<{ readonly path: string; readonly size: number }>[] = [];
  for (const path of await logsOf(directory)) {
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

/** Those that a cluster, its network and each machine's programs write. */
async function logsOf(directory: ClusterDirectory): Promise<readonly string[]> {
  const places = [directory.path, directory.lan, ...(await directory.nodes())];
  return (await Promise.all(places.map((place) => logsIn(place)))).flat().toSorted();
}

async function logsIn(place: string): Promise<readonly string[]> {
  const entries = await unlessGone(readdir(place, { withFileTypes: true }));
  return (entries ?? [])
    .filter((entry) => entry.isFile() && logRule.test(entry.name))
    .map(({ name }) => join(place, name));
}
