import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

import { ClusterError } from '../errors.ts';

/** In a root of the node OS, and in no other: how its first process starts the agent, an argument on each line. */
export const agentArguments = 'usr/lib/nodeos/agent.arguments';

/**
 * The agent's program in a root, by its path there: images of other releases may call it otherwise.
 *
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE` for what is no root of the node OS.
 */
export async function agentOfRoot(root: string): Promise<string> {
  const text = await readFile(join(root, agentArguments), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  const program = text.split('\n').find((line) => /^\/usr\/lib\/nodeos\/agent\.\w+$/.test(line));
  if (program !== undefined) return program;
  throw new ClusterError(
    'ERR_CLUSTER_IMAGE',
    `${root} is no root of the node OS: see /${agentArguments} there`,
  );
}
