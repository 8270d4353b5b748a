import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { connect, Osconfig } from '@nodecore/api';
import { OutputError, print, printable, type Terminal } from '@nodecore/cli';
import { type ClusterDirectory, ClusterError, type PlannedNode } from '@nodecore/clusters';

import { addNode } from '../support/bundle.ts';
import { ZipWriter } from '../support/zip-writer.ts';
import type { Administrator } from './wait.ts';

/** How long all nodes may take together: the cluster is to go. */
const limitMs = 300_000;
const workers = 4;

/**
 * Saves what the nodes of a cluster know of themselves in one archive, a folder for each. A node that does not answer is left out, and
 * said.
 *
 * @throws {OutputError} for a file that is there, or can't be written; {ClusterError} for a cluster that is not there.
 */
export async function saveSupportArchive(
  directory: ClusterDirectory,
  path: string,
  { error, signal }: Pick<Terminal, 'error' | 'signal'>,
): Promise<void> {
  const { nodes, request } = await directory.requirePlan();
  if (request.fleet !== undefined)
    throw new ClusterError(
      'ERR_CLUSTER_REQUEST',
      `${request.name} has machines of a fleet, which alone asks them`,
    );
  const zip = await ZipWriter.create(path);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    const administrator = await administratorOf(directory);
    using _key = administrator.key;
    for (const node of nodes) {
      const failed = await added(node, zip, administrator, limited);
      signal.throwIfAborted();
      if (failed !== undefined)
        await print(error, `${node.name} is not in the archive: ${printable(failed)}\n`);
    }
    await zip.finish();
  } catch (cause) {
    await zip.abort();
    throw cause;
  }
}

/** @returns why a node did not answer */
async function added(
  { name, door }: PlannedNode,
  zip: ZipWriter,
  administrator: Administrator,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    signal.throwIfAborted();
    await using client = connect({ endpoint: `${door.address}:${door.port}`, ...administrator });
    const folder = { add: (file: string, content: Uint8Array) => zip.add(`${name}/${file}`, content) };
    const target = { name, client, node: undefined, direct: true };
    await addNode(target, folder, { workers, tell: () => {}, signal });
    return undefined;
  } catch (error) {
    if (error instanceof OutputError) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

async function administratorOf({ secrets, name }: ClusterDirectory): Promise<Administrator> {
  const file = join(secrets, 'osconfig');
  const { ca, crt, key } = Osconfig.parse(await readFile(file, 'utf8'), file).context(name);
  if (ca === undefined || crt === undefined || key === undefined)
    throw new TypeError('a client config of a cluster has an administrator');
  return { ca, crt, key };
}
