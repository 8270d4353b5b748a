import { once } from 'node:events';
import { connect, Socket } from 'node:net';

import { connectIn } from '@nodecore/native/netns';

import type { Namespace } from './namespace.ts';
import type { SocketAddress } from './spec.ts';

/** Connects to an address somewhere. Rejects when nobody takes the connection, and with the signal's reason. */
export type Dial = (target: SocketAddress, signal: AbortSignal) => Promise<Socket>;

/** Connects in the namespace of this process. */
export const dialHere: Dial = async ({ address, port }, signal) => {
  const socket = connect({ host: address, port, noDelay: true });
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', () => {}); // what it may still say is known
    socket.destroy();
    throw error;
  }
};

/** Connects in another namespace. */
export function dialInside(namespace: Namespace): Dial {
  return async (target, signal) => {
    const fd = await connectIn(namespace.files(), target, signal);
    const socket = new Socket({ fd, readable: true, writable: true });
    return socket.setNoDelay(true);
  };
}
