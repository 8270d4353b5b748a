import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { codeOf, isSameFile, writeFileAtomic } from '@nodecore/sys';

import { ClusterError } from './errors.ts';

const fileName = 'place.json';
const planName = 'plan.json';
/** What is in the directory of a cluster before there is a plan; a directory of these is empty then. */
const begunFiles: ReadonlySet<string> = new Set([
  'making.lock',
  'keeping.lock',
  'state.lock',
  'state.yaml',
  `${fileName}.part`,
]);
const begunDirectories: ReadonlySet<string> = new Set(['secrets', 'nodes']);

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
 *
 * @throws {ClusterError} `ERR_CLUSTER_STATE` when nobody can tell.
 */
export async function originalOf(directory: string): Promise<string | undefined> {
  const text = await unless('ENOENT', readFile(join(directory, fileName), 'utf8'));
  if (text === undefined) return undefined;
  const place = parsePlace(text);
  if (place === undefined) {
    const words = `${join(directory, fileName)} is damaged: remove it where ${directory} is no copy of another cluster`;
    throw new ClusterError('ERR_CLUSTER_STATE', words);
  }
  const { path } = place;
  const made = { dev: BigInt(place.dev), ino: BigInt(place.ino) };
  if (isSameFile(await stat(directory, { bigint: true }), made)) return undefined;
  const there = await unless('ENOENT', stat(path, { bigint: true }));
  return there !== undefined && isSameFile(there, made) ? path : undefined;
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && /^\d+$/.test(value);
}

function parsePlace(text: string): Place | undefined {
  try {
    const { path, dev, ino } = JSON.parse(text) as Partial<Place>;
    return typeof path === 'string' && isNumber(dev) && isNumber(ino) ? { path, dev, ino } : undefined;
  } catch {
    return undefined; // no JSON, or `null`
  }
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

/**
 * Any directory may have the name that somebody gives: one that has neither a plan nor a record of its place, and more in it than a
 * cluster begins with, is not a cluster's, and nothing in it is changed.
 *
 * @throws {ClusterError} `ERR_CLUSTER_STATE`
 */
export async function requireCluster(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  if (entries.some((entry) => entry.isFile() && [fileName, planName].includes(entry.name))) return;
  for (const entry of entries) {
    const { name } = entry;
    const isBegun = entry.isFile()
      ? begunFiles.has(name)
      : entry.isDirectory() &&
        begunDirectories.has(name) &&
        (await readdir(join(directory, name))).length === 0;
    if (isBegun) continue;
    const words = `${directory} has ${JSON.stringify(name)} in it and no plan: it is no directory of a cluster, and is left alone`;
    throw new ClusterError('ERR_CLUSTER_STATE', words);
  }
}

/** @throws {ClusterError} `ERR_CLUSTER_REQUEST` for a file that would go with the directory; {Error} of the system where it has none. */
export async function requireOutside(directory: string, file: string): Promise<void> {
  const [place, going] = await Promise.all([dirname(file), directory].map((path) => realpath(path)));
  if (!`${place}/`.startsWith(`${going}/`)) return;
  throw new ClusterError('ERR_CLUSTER_REQUEST', `${file} goes with the cluster: name another place`);
}

/** Removes the directory of a cluster. What says whose it is goes last: until then another attempt knows what it has before it. */
export async function removePlace(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name !== fileName && name !== planName);
  for (const name of [...names, planName, fileName])
    await rm(join(directory, name), { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
}

async function unless<T>(code: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === code) return undefined;
    throw error;
  }
}
