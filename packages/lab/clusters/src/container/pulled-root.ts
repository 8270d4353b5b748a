import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { downloadBlob, OciError, parseReference, RegistryClient, unpackLayer } from '@nodecore/oci';
import { codeOf, makeDirectory } from '@nodecore/sys';
import { createReadStream } from 'node:fs';

import { ClusterError } from '../errors.ts';
import { agentArguments } from './agent-of-root.ts';
import { registryScheme } from './parts.ts';

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * The root of containers from an image of a registry, unpacked once for each digest of an image. Every layer is what the manifest says,
 * and that is what was asked for, where it was asked for by digest; a tag is asked for each time.
 *
 * @param image `docker://registry/repository:tag` or `…@digest`
 * @param cache directory; what a killed process has left there is no root.
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE`
 */
export async function pulledRoot(
  image: string,
  cache: string,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const name = image.slice(registryScheme.length);
  try {
    return await pull(name, cache, tell, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OciError)) throw error;
    throw new ClusterError('ERR_CLUSTER_IMAGE', `${name}: ${error.message}`, { cause: error });
  }
}

async function pull(
  name: string,
  cache: string,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const reference = parseReference(name);
  const client = new RegistryClient(reference.registry);
  const platform = { os: 'linux', architecture: architectures[process.arch] ?? process.arch };
  const { manifest, digest } = await client.image(reference, platform, signal);
  const tree = join(cache, 'roots', digest.replace(':', '-'));
  if (await isThere(tree)) return tree;
  const bytes = manifest.layers.reduce((sum, { size }) => sum + size, 0);
  tell(`root of the nodes from ${name}, ${digest.slice(0, 19)}, ${Math.ceil(bytes / 2 ** 20)} MiB`);
  await makeDirectory(join(cache, 'roots'));
  const part = `${tree}.${process.pid}.part`;
  await rm(part, { recursive: true, force: true });
  try {
    const root = join(part, 'root');
    await mkdir(root, { recursive: true, mode: 0o755 });
    for (const layer of manifest.layers) {
      const file = join(part, 'layer');
      await downloadBlob(client, reference.repository, layer, file, signal); // nothing is unpacked before all of it is proven
      await unpackLayer(createReadStream(file, { signal }), layer.mediaType, root);
      await rm(file);
    }
    if (!(await isThere(join(root, agentArguments))))
      throw new ClusterError(
        'ERR_CLUSTER_IMAGE',
        `${name} is no image of the node OS: it has no /${agentArguments}`,
      );
    // Another cluster may have made the same one meanwhile.
    await rename(root, tree).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return tree;
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
