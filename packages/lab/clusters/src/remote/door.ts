import { once } from 'node:events';
import { connect } from 'node:net';

import type { SocketAddress } from '@nodecore/lan';

import { ClusterError } from '../errors.ts';

/** Where this computer reaches the API of a machine of a cluster. @throws {ClusterError} for one that it does not have */
export type DoorOf = (cluster: string, machine: string) => Promise<SocketAddress>;

type Message = { readonly cluster: string; readonly machine: string; readonly data: Uint8Array };

type Call = AsyncIterable<unknown> & {
  readonly write: (message: { readonly data: Uint8Array }) => boolean;
  readonly once: (event: 'drain', listener: () => void) => unknown;
};

/** Joins a call with the API of the machine that its first message names, until one of them has nothing more to say. */
export async function passThrough(call: Call, doorOf: DoorOf, signal: AbortSignal): Promise<void> {
  const messages = call[Symbol.asyncIterator]();
  const first = await messages.next();
  if (first.done === true) throw new ClusterError('ERR_CLUSTER_REQUEST', 'the first message names a machine');
  const { cluster, machine } = first.value as Message;
  const { address, port } = await doorOf(cluster, machine);
  const socket = connect({ host: address, port, noDelay: true, allowHalfOpen: true, signal });
  try {
    await once(socket, 'connect').catch((cause: unknown) => {
      throw new ClusterError('ERR_CLUSTER_MACHINE', `nothing answers at the API of ${machine}`, { cause });
    });
    const inward = async (): Promise<void> => {
      for (;;) {
        const next = await messages.next();
        if (next.done === true) break;
        if (!socket.write((next.value as Message).data)) await once(socket, 'drain', { signal });
      }
      socket.end();
    };
    const outward = async (): Promise<void> => {
      for await (const data of socket)
        if (!call.write({ data: data as Uint8Array })) await once(call as never, 'drain', { signal });
    };
    const sent = inward();
    sent.catch(() => socket.destroy());
    await outward();
  } finally {
    socket.destroy();
  }
}
