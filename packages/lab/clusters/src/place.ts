import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, isSameFile, writeFileAtomic } from '@nodecore/sys';

import { ClusterError } from './errors.ts';

const fileName = 'place.json';

/** Where the directory of a cluster lay when it was made, and which one it was. */
type Place = { readonly path: string; readonly dev: string; readonly ino: string };

/** Writes down that the cluster of this directory is its own. */
export async function writePlace(directory: string): Promise<void> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const place: Place = { path: directory, dev: `${dev}`, ino: `${ino}` };
  await writeFileAtomic(join(directory, fileName), `${JSON.stringify(place)}\n`);
}

/**
 * Where the cluster is that a directory is a copy of; undefined for one of its own, also when it was moved. The plan, the keeper and
 * the network that a copy names are the original's.
 */
export async function originalOf(directory: string): Promise<string | undefined> {
  const text = await unless('ENOENT', readFile(join(directory, fileName), 'utf8'));
  if (text === undefined) return undefined;
  const { path, dev, ino } = JSON.parse(text) as Place;
  const made = { dev: BigInt(dev), ino: BigInt(ino) };
  if (isSameFile(await stat(directory, { bigint: true }), made)) return undefined;
  const there = await unless('ENOENT', stat(path, { bigint: true }));
  return there !== undefined && isSameFile(there, made) ? path : undefined;
}

/**
 * What is not root's is in a user namespace of its owner, whom root does not see in any of it.
 *
 * @throws {ClusterError} `ERR_CLUSTER_STATE` for the cluster of another user.
 */
export async function requireOwner(directory: string): Promise<void> {
  const { uid } = await stat(directory);
  if (uid === process.getuid?.()) return;
  const words = `${directory} is a cluster of the user ${uid}, who alone changes it: sudo -u '#${uid}' osctl …`;
  throw new ClusterError('ERR_CLUSTER_STATE', words);
}

/** @throws {ClusterError} `ERR_CLUSTER_STATE` for a copy, with what to do, and for the cluster of another user. */
export async function requireOwn(directory: string): Promise<void> {
  await requireOwner(directory);
  const original = await originalOf(directory);
  if (original === undefined) return;
  const words = `${directory} is a copy of ${original}, whose machines and network it names: remove the copy, or use the original`;
  throw new ClusterError('ERR_CLUSTER_STATE', words);
}

async function unless<T>(code: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === code) return undefined;
    throw error;
  }
}
