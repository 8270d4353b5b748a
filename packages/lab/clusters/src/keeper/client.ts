import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';

import type { ClusterDirectory } from '../directory.ts';
import { ClusterError, type ClusterErrorCode } from '../errors.ts';
import { objects, send } from './lines.ts';
import type { KeeperCall, KeeperReply } from './messages.ts';
import { socketName } from './socket-name.ts';

/** What is called while it works, and how to give up. */
export type CallKeeperOptions = {
  readonly onStatus?: (line: string) => void;
  readonly signal?: AbortSignal;
};

/**
 * Asks the keeper of a cluster.
 *
 * @throws {ClusterError} what the keeper says, or `ERR_CLUSTER_KEEPER` when it is not there.
 */
export async function callKeeper(
  directory: ClusterDirectory,
  call: KeeperCall,
  { onStatus = () => {}, signal }: CallKeeperOptions = {},
): Promise<unknown> {
  const gone = (cause?: unknown): ClusterError =>
    new ClusterError('ERR_CLUSTER_KEEPER', `the keeper of ${directory.name} is not there`, { cause });
  const parent = await open(directory.path, 'r').catch((error: unknown) => {
    throw gone(error);
  });
  try {
    const socket = connect({ path: `/proc/self/fd/${parent.fd}/${socketName}`, ...(signal && { signal }) });
    try {
      await once(socket, 'connect');
      send(socket, call);
      for await (const line of objects(socket)) {
        const reply = line as KeeperReply;
        if ('status' in reply) onStatus(reply.status);
        else if ('result' in reply) return reply.result;
        else throw new ClusterError(reply.error.code as ClusterErrorCode, reply.error.message);
      }
      throw gone();
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof ClusterError ? error : gone(error);
    } finally {
      socket.destroy();
    }
  } finally {
    await parent.close();
  }
}
