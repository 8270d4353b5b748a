import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** The objects that come over a socket, one in a line. What is no JSON ends it. */
export async function* objects(socket: Socket): AsyncGenerator {
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
    if (line !== '') yield JSON.parse(line);
  }
}

/** Sends one object as a line. */
export function send(socket: Socket, object: unknown): void {
  socket.write(`${JSON.stringify(object)}\n`);
}
