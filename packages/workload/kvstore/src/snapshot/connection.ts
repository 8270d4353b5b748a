import type { OnReadOpts, Socket } from 'node:net';

import type { Transfer } from './transfer.ts';

/**
 * 2 MiB keep the server busy; 8 are safe. Of both windows: the smaller one counts.
 *
 * @see docs/decisions/snapshot-stream.md
 */
export const windowBytes: number = 8 << 20;
/**
 * What one read of the connection takes. Small enough to be in the processor's cache when it is looked at, and for thirty
 * in a row, as many as libuv makes, to delay no other work.
 */
const readBytes = 128 << 10;

/** A transfer, and the connection that is made for it. */
export type Connected = { readonly socket: Socket; readonly transfer: Transfer };

/** Makes the connection, whose bytes go to the transfer from the first one on. */
export async function connectFor(
  transfer: Transfer,
  dial: (onread: OnReadOpts) => Promise<Socket>,
): Promise<Connected> {
  // One buffer for all reads: nothing is allocated for them.
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  const callback = (bytes: number): boolean => transfer.take(bytes, buffer);
  return { socket: await dial({ buffer, callback }), transfer };
}

/** Transfers, and ends the connection. */
export async function runOver({ socket, transfer }: Connected): Promise<void> {
  const closed = Promise.withResolvers<void>();
  socket.once('close', () => closed.resolve());
  try {
    await transfer.run(socket);
  } finally {
    socket.destroy();
    await closed.promise;
  }
}
