import type { Server, Socket } from 'node:net';

import { type Dial, dialHere } from './dial.ts';
import type { SocketAddress } from './spec.ts';

/**
 * Joins every connection that a server accepts with one to `target`. A target that can't be reached resets the
 * connection.
 */
export function spliceTo(server: Server, target: SocketAddress, dial: Dial = dialHere): void {
  server.on('connection', (near: Socket) => {
    near.setNoDelay(true);
    near.on('error', () => {}); // it closes, too
    const gone = new AbortController();
    near.once('close', () => gone.abort());
    void dial(target, gone.signal).then(
      (far) => join(near, far),
      () => cut(near),
    );
  });
}

/**
 * Carries what each of two connections says to the other. One that has no more to say still hears: its end is passed on, and the
 * other direction stays. One that breaks resets the other, as an end would say that all has come.
 */
export function join(near: Socket, far: Socket): void {
  if (near.destroyed) return cut(far); // it went while the other came
  carry(near, far);
  carry(far, near);
}

function carry(from: Socket, to: Socket): void {
  from.allowHalfOpen = true;
  from.on('error', () => {}); // it closes, too
  from.once('close', () => {
    if (!(from.readableEnded && from.writableFinished)) cut(to);
  });
  from.pipe(to);
}

/** Ends a connection so that whoever is there does not take it for an end. Twice is fine. */
export function cut(socket: Socket): void {
  if (socket.connecting || socket.destroyed) socket.destroy();
  else socket.resetAndDestroy();
}
