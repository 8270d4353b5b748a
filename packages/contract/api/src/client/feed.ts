import type { OnReadOpts, Socket } from 'node:net';

/** Gives what comes over a connection to who reads it in buffers of their own: Node.js does so only for those it has opened itself. */
export function feed(socket: Socket, reader: OnReadOpts): void {
  const { buffer } = reader;
  socket.on('data', (chunk: Uint8Array) => {
    for (let rest = chunk; rest.length > 0;) {
      const room = typeof buffer === 'function' ? buffer() : buffer;
      const count = Math.min(room.length, rest.length);
      room.set(rest.subarray(0, count));
      rest = rest.subarray(count);
      if (reader.callback(count, room)) continue;
      socket.pause();
      if (rest.length > 0) socket.unshift(rest);
      return;
    }
  });
}
