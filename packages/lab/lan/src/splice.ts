import { connect, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

import type { SocketAddress } from './spec.ts';

/**
 * Joins every connection that a server accepts with one to `target`. A target that can't be reached closes the
 * connection, as nobody there would.
 */
export function spliceTo(server: Server, target: SocketAddress): void {
  server.on('connection', (near: Socket) => {
    const far = connect({ host: target.address, port: target.port, noDelay: true });
    near.setNoDelay(true);
    pipeline(near, far, near, () => {
      near.destroy();
      far.destroy();
    });
  });
}
